package io.verbena.rdmacore.lib;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// Makes handles to C functions.
///
/// Pointers are plain longs in every signature, which costs less than segments; the caller keeps the memory alive.
public final class Calls {
    private Calls() {}

    @SuppressWarnings("restricted")
    static MethodHandle link(MemorySegment symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(symbol, descriptor, options);
    }

    /// A handle for a function whose address is known only later; it takes the address, as a segment, as first
    /// argument. For the functions that a driver puts into its structs.
    @SuppressWarnings("restricted")
    public static MethodHandle byAddress(MemoryLayout returns, MemoryLayout... takes) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(returns, takes));
    }

    /// As [#byAddress], for functions that leave their error number in `errno`; the memory for it is the second
    /// argument.
    @SuppressWarnings("restricted")
    public static MethodHandle byAddressWithErrno(MemoryLayout returns, MemoryLayout... takes) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(returns, takes), CallState.CAPTURE);
    }

    /// As [#byAddress], for functions that return nothing.
    @SuppressWarnings("restricted")
    public static MethodHandle voidByAddress(MemoryLayout... takes) {
        return Linker.nativeLinker().downcallHandle(FunctionDescriptor.ofVoid(takes));
    }

    /// The error to throw when a handle throws, which no C function does.
    public static AssertionError unexpected(Throwable e) {
        return new AssertionError("a C function does not throw", e);
    }
}
