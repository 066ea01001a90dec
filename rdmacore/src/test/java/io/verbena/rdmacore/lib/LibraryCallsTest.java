package io.verbena.rdmacore.lib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

public class LibraryCallsTest {
    interface StandardC {
        @CFunction("abs")
        int abs(int number);

        @CFunction("labs")
        long labs(long number);

        @CFunction(value = "dup2", setsErrno = true)
        int dup2(int from, int to);

        @CFunction(value = "setlocale", setsErrno = true)
        long setlocale(int category, long name);

        @CFunction("srand")
        void srand(int seed);

        @CFunction("getpid")
        int getpid();

        @CFunction("no_such_function")
        int missing();
    }

    private final StandardC c = Library.open("libc.so.6").bind(StandardC.class);

    @Test
    void shouldPassArgumentsAndResultsOfTheTypesOfTheMethod() {
        assertEquals(3, c.abs(-3));
        assertEquals(1L << 40, c.labs(-1L << 40));
        assertEquals(ProcessHandle.current().pid(), c.getpid());
        c.srand(1);
    }

    @Test
    void shouldReturnTheErrorNumberNegatedWhenAFunctionLeavesItInErrno() {
        assertEquals(-Errno.EBADF.number(), c.dup2(-1, -1));
        assertTrue(c.setlocale(0, 0) > 0, "a pointer is returned as it is");
        assertTrue(c.setlocale(-1, 0) < 0, "NULL is an error");
    }

    @Test
    void shouldNameAFunctionThatTheLibraryLacks() {
        var error = assertThrows(RdmaException.class, c::missing);
        assertEquals(Errno.EOPNOTSUPP, error.errno());
        assertTrue(error.getMessage().contains("no_such_function"), error.getMessage());
        assertTrue(error.getMessage().contains("libc.so.6"), error.getMessage());
    }

    @Test
    void shouldFindEveryFunctionOfLibibverbs() {
        requireAll(Libraries.IBVERBS, IbVerbs.class);
    }

    /// Fails when a method names a function that the library lacks.
    public static void requireAll(Libraries libraries, Class<?> functions) {
        assumeTrue(
                libraries.availability().isAvailable(),
                () -> libraries.availability().toString());
        List<String> missing = Arrays.stream(functions.getDeclaredMethods())
                .map(method -> method.getAnnotation(CFunction.class))
                .filter(Objects::nonNull)
                .map(CFunction::value)
                .filter(name -> !libraries.require().has(name))
                .toList();
        assertEquals(List.of(), missing);
    }
}
