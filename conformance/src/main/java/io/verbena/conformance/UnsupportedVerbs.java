package io.verbena.conformance;

import io.verbena.verbs.UnsupportedVerbException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/// A verb that the device does not offer skips the test, with that reason, unless it is known to have it.
public final class UnsupportedVerbs implements InvocationInterceptor {
    public UnsupportedVerbs() {}

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        skipping(invocation, context);
    }

    @Override
    public <T> T interceptTestFactoryMethod(
            Invocation<T> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        return skipping(invocation, context);
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext dynamic, ExtensionContext context)
            throws Throwable {
        skipping(invocation, context);
    }

    private static <T> T skipping(Invocation<T> invocation, ExtensionContext context) throws Throwable {
        try {
            return invocation.proceed();
        } catch (UnsupportedVerbException e) {
            if (!DevicePairExtension.pairing(context).mayLack(e.verb())) {
                throw e;
            }
            throw new TestAbortedException("not supported: " + e.verb(), e);
        }
    }
}
