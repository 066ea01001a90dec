package io.verbena.rdmacore.rig;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/// The bytes that the current thread has allocated so far. By reflection, because the module under test does not
/// require `java.management`.
public final class AllocatedBytes {
    private static final MethodHandle CURRENT = find();

    private AllocatedBytes() {}

    public static long now() {
        try {
            return (long) CURRENT.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle find() {
        try {
            Class<?> factory = Class.forName("java.lang.management.ManagementFactory");
            Class<?> base = Class.forName("java.lang.management.ThreadMXBean");
            Class<?> bean = Class.forName("com.sun.management.ThreadMXBean");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Object threads = lookup.findStatic(factory, "getThreadMXBean", MethodType.methodType(base))
                    .invoke();
            return lookup.findVirtual(bean, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                    .bindTo(threads);
        } catch (Throwable e) {
            throw new AssertionError("this JVM counts no allocated bytes", e);
        }
    }
}
