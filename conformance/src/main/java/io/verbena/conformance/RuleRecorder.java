package io.verbena.conformance;

import io.verbena.conformance.ConformanceReport.Result;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.TestAbortedException;

/// Writes down how each test of each contract ended on each pairing; the report is written at the end of the run.
public final class RuleRecorder implements TestWatcher, InvocationInterceptor {
    private static final Namespace NAMESPACE = Namespace.create(RuleRecorder.class);

    public RuleRecorder() {}

    static ConformanceReport report(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        ConformanceReport.class,
                        type -> new ConformanceReport(RuleCatalog.load()),
                        ConformanceReport.class);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        record(context, Result.PASSED, "");
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        record(context, Result.SKIPPED, cause.getMessage());
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        record(context, Result.FAILED, "");
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        record(context, Result.SKIPPED, reason.orElse("disabled"));
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext dynamic, ExtensionContext context)
            throws Throwable {
        try {
            invocation.proceed();
            record(context, Result.PASSED, "");
        } catch (TestAbortedException skipped) {
            record(context, Result.SKIPPED, skipped.getMessage());
            throw skipped;
        } catch (Throwable failure) {
            record(context, Result.FAILED, "");
            throw failure;
        }
    }

    private static void record(ExtensionContext context, Result result, String why) {
        ExtensionContext at = context;
        while (at.getTestMethod().isEmpty()) {
            at = at.getParent().orElseThrow();
        }
        Method method = at.getRequiredTestMethod();
        Rule rule = method.getAnnotation(Rule.class);
        if (rule == null) {
            return;
        }
        String contract = method.getDeclaringClass().getSimpleName();
        String pairing = DevicePairExtension.pairing(at).name();
        for (String id : rule.value()) {
            report(at).record(id, contract, method.getName(), pairing, result, why);
        }
    }
}
