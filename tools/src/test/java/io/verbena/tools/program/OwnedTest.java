package io.verbena.tools.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedTest {
    private final Owned owned = new Owned();
    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldCloseTheNewestFirstAndOnce() {
        owned.add(() -> closed.add("older"));
        owned.add(() -> closed.add("newer"));
        owned.close();
        owned.close();
        assertEquals(List.of("newer", "older"), closed);
    }

    @Test
    void shouldCloseTheRestWhenOneCannotBeClosed() {
        owned.add(() -> closed.add("first"));
        owned.add(() -> {
            throw new IllegalStateException("second");
        });
        owned.add(() -> {
            throw new IllegalStateException("third");
        });
        var error = assertThrows(IllegalStateException.class, owned::close);
        assertEquals("third", error.getMessage());
        assertEquals("second", error.getSuppressed()[0].getMessage());
        assertEquals(List.of("first"), closed);
    }
}
