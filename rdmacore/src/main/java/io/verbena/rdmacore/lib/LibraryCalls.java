package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The calls of an interface whose methods are functions of a library. Each call boxes its arguments, so this is for
/// functions that make and change objects. What moves data is called by handles of its own: [DriverCalls].
final class LibraryCalls implements InvocationHandler {
    private static final Object[] NO_ARGUMENTS = {};
    private static final MethodType PLAIN = MethodType.methodType(Object.class, Object[].class);
    private static final MethodType WITH_ERRNO = PLAIN.insertParameterTypes(0, MemorySegment.class);
    private static final Map<Class<?>, MemoryLayout> LAYOUTS =
            Map.of(long.class, JAVA_LONG, int.class, JAVA_INT, short.class, JAVA_SHORT, byte.class, JAVA_BYTE);

    private final Library library;
    private final Map<Method, Call> calls = new HashMap<>();

    /// `handle` is null when this release of the library lacks the function.
    private record Call(CFunction function, MethodHandle handle) {}

    LibraryCalls(Library library, Class<?> functions) {
        this.library = library;
        for (Method method : functions.getDeclaredMethods()) {
            CFunction function = method.getAnnotation(CFunction.class);
            if (function != null) {
                calls.put(method, new Call(function, link(function, method)));
            }
        }
    }

    private MethodHandle link(CFunction function, Method method) {
        MemoryLayout returns = LAYOUTS.get(method.getReturnType()); // null for void
        MemoryLayout[] takes =
                Arrays.stream(method.getParameterTypes()).map(LAYOUTS::get).toArray(MemoryLayout[]::new);
        MethodHandle handle = function.setsErrno()
                ? library.withErrno(function.value(), returns, takes)
                : library.plain(function.value(), returns, takes);
        return handle == null
                ? null
                : handle.asSpreader(Object[].class, takes.length).asType(function.setsErrno() ? WITH_ERRNO : PLAIN);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        Call call = calls.get(method);
        if (call == null) {
            throw new UnsupportedOperationException(method.getName() + " is no function of " + library);
        }
        if (call.handle == null) {
            throw new RdmaException(
                    call.function.value(), Errno.EOPNOTSUPP, library + " has no such function; use a newer rdma-core");
        }
        Object[] given = arguments == null ? NO_ARGUMENTS : arguments;
        try {
            if (!call.function.setsErrno()) {
                return (Object) call.handle.invokeExact(given);
            }
            MemorySegment state = CallState.mine();
            Object returned = (Object) call.handle.invokeExact(state, given);
            return returned instanceof Long pointer
                    ? (Object) CallState.pointer(state, pointer)
                    : (Object) CallState.result(state, (int) returned);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
