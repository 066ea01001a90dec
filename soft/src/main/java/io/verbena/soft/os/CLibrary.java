package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// How functions of the C library are linked, and what becomes of their error numbers. Linking fails with a
/// [LinkageError] where native access is denied or a function is missing.
public final class CLibrary {
    /// For functions whose error number is wanted: they take the memory that it is left in as their first argument.
    public static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final long ERRNO_AT =
            Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private CLibrary() {}

    /// The layout of the memory that calls leave their error number in.
    public static MemoryLayout stateLayout() {
        return Linker.Option.captureStateLayout();
    }

    /// A function that leaves its error number.
    public static MethodHandle function(String name, ValueLayout returns, ValueLayout... takes) {
        return link(name, FunctionDescriptor.of(returns, takes), ERRNO);
    }

    /// A function that has none, or whose error number nobody wants.
    public static MethodHandle plainFunction(String name, ValueLayout returns, ValueLayout... takes) {
        return link(name, FunctionDescriptor.of(returns, takes));
    }

    @SuppressWarnings("restricted")
    public static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
        return linker.downcallHandle(symbol, descriptor, options);
    }

    /// What a call returned, or its error number, negated, as inside the kernel.
    public static int result(MemorySegment state, int returned) {
        return returned >= 0 ? returned : -errno(state);
    }

    public static int errno(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO_AT);
    }

    public static AssertionError unexpected(Throwable e) {
        return new AssertionError("a call of the C library does not throw", e);
    }
}
