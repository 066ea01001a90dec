package io.verbena.soft.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Links and calls functions of the C library. Linking fails with a [LinkageError] where native access is denied or a
/// function is missing.
///
/// Functions that report an error number take memory for it as their first argument, and are called by [#call]. That
/// allocates, so functions called for every packet are linked without. System calls are not linked as critical, because
/// a critical call blocks the garbage collector until it returns.
public final class CLibrary {
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO_AT = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    /// A call of a function that reports its error number.
    @FunctionalInterface
    public interface Call {
        long leaving(MemorySegment errorNumber) throws Throwable;
    }

    private CLibrary() {}

    /// The option of `java` that gives native access to whatever this class is part of, a module or the class path.
    public static String accessOption() {
        Module ours = CLibrary.class.getModule();
        return "--enable-native-access=" + (ours.isNamed() ? ours.getName() : "ALL-UNNAMED");
    }

    /// Links a function that reports its error number.
    public static MethodHandle function(String name, ValueLayout returns, ValueLayout... takes) {
        return link(name, FunctionDescriptor.of(returns, takes), ERRNO);
    }

    /// Links a function without its error number.
    public static MethodHandle plainFunction(String name, ValueLayout returns, ValueLayout... takes) {
        return link(name, FunctionDescriptor.of(returns, takes));
    }

    /// Links a short function that makes no system call.
    static MethodHandle criticalFunction(String name, ValueLayout returns, ValueLayout... takes) {
        return link(name, FunctionDescriptor.of(returns, takes), Linker.Option.critical(false));
    }

    /// Like [#function], for a variadic function with two fixed arguments.
    static MethodHandle variadicFunction(String name, ValueLayout returns, ValueLayout... takes) {
        return link(name, FunctionDescriptor.of(returns, takes), ERRNO, Linker.Option.firstVariadicArg(2));
    }

    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
        return linker.downcallHandle(symbol, descriptor, options);
    }

    /// Memory for the error number, for callers that reuse it.
    public static MemorySegment newState() {
        return Arena.ofAuto().allocate(STATE);
    }

    public static int errorNumber(MemorySegment state) {
        return state.get(JAVA_INT, ERRNO_AT);
    }

    /// The result of the call, or its negated error number, as inside the kernel. A call interrupted by a signal is
    /// repeated.
    public static int call(Call call) {
        return (int) callForLong(call);
    }

    static long callForLong(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            while (true) {
                long returned = call.leaving(state);
                int error = returned == -1 ? errorNumber(state) : 0;
                if (error != Errors.EINTR) {
                    return error == 0 ? returned : -error;
                }
            }
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static AssertionError unexpected(Throwable e) {
        return new AssertionError("a call of the C library does not throw", e);
    }
}
