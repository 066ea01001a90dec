package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceTreeTest {
    private final ResourceTree tree = new ResourceTree();

    @Test
    void shouldTakeNoChildOnceItIsSealed() {
        AutoCloseable child = () -> {};
        assertTrue(tree.tryAdd(child));
        RdmaException busy = assertThrows(RdmaException.class, () -> tree.seal("close it"));
        assertEquals(Errno.EBUSY, busy.errno());
        assertTrue(tree.tryAdd(() -> {}), "a refused seal changes nothing");
        tree.snapshot().forEach(tree::remove);
        tree.seal("close it");
        assertFalse(tree.tryAdd(child));
        assertTrue(tree.isEmpty());
        assertDoesNotThrow(() -> tree.seal("close it again"));
    }

    @Test
    void shouldNameTheFirstFewChildrenInItsRefusal() {
        for (int i = 1; i <= 5; i++) {
            tree.add(new Named("child " + i));
        }
        RdmaException five = assertThrows(RdmaException.class, () -> tree.requireNone("close it"));
        assertTrue(five.getMessage().contains("child 4, child 5];"), five.getMessage());
        tree.add(new Named("child 6"));
        tree.add(new Named("child 7"));
        RdmaException seven = assertThrows(RdmaException.class, () -> tree.requireNone("close it"));
        assertTrue(seven.getMessage().contains("child 4, child 5] and 2 more;"), seven.getMessage());
    }

    private record Named(String name) implements AutoCloseable {
        @Override
        public void close() {}

        @Override
        public String toString() {
            return name;
        }
    }

    @Test
    void shouldCloseTheNewestFirstAndAllOfThem() {
        List<Integer> closed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            tree.add(() -> {
                closed.add(number);
                if (number > 0) {
                    throw new IllegalArgumentException("child " + number);
                }
            });
        }
        RuntimeException failure = assertThrows(IllegalArgumentException.class, tree::closeAll);
        assertEquals(List.of(2, 1, 0), closed);
        assertEquals("child 2", failure.getMessage());
        assertEquals("child 1", failure.getSuppressed()[0].getMessage());
    }
}
