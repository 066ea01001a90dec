package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class UnixSocketTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static int names;

    private final String name = "verbena-test-" + ProcessHandle.current().pid() + "-" + names++;

    @Test
    void shouldFindNobodyUnderAFreeName() {
        assertNull(UnixSocket.connect(name));
    }

    @Test
    void shouldLetOneListenUnderAName() {
        try (UnixSocket first = UnixSocket.listen(name)) {
            assertNotNull(first);
            assertNull(UnixSocket.listen(name));
        }
        try (UnixSocket second = UnixSocket.listen(name)) {
            assertNotNull(second);
        }
    }

    @Test
    void shouldHandDescriptorsOver() {
        try (UnixSocket listener = UnixSocket.listen(name);
                UnixSocket here = UnixSocket.connect(name);
                UnixSocket there = listener.accept();
                SealedMemory memory = SealedMemory.create(100, false)) {
            memory.memory().set(ValueLayout.JAVA_LONG, 0, 4711);
            assertTrue(here.send((byte) 5, memory.fd()));
            UnixSocket.Message message = there.receive(3, LONG);
            assertEquals(5, message.kind());
            assertEquals(1, message.descriptors().length);
            try (SealedMemory same = SealedMemory.ofDescriptor(message.descriptors()[0], 100)) {
                assertEquals(4711, same.memory().get(ValueLayout.JAVA_LONG, 0));
            }
            assertTrue(there.send((byte) 6));
            UnixSocket.Message answer = here.receive(3, LONG);
            assertEquals(6, answer.kind());
            assertArrayEquals(new int[0], answer.descriptors());
        }
    }

    @Test
    void shouldKnowWhoIsAtTheOtherEnd() {
        try (UnixSocket listener = UnixSocket.listen(name);
                UnixSocket here = UnixSocket.connect(name);
                UnixSocket there = listener.accept()) {
            assertTrue(here.isOfThisUser());
            assertTrue(there.isOfThisUser());
            assertEquals(ProcessHandle.current().pid(), here.pid());
            assertNull(listener.accept());
        }
    }

    @Test
    void shouldNoticeThatTheOtherEndIsGone() {
        try (UnixSocket listener = UnixSocket.listen(name);
                UnixSocket here = UnixSocket.connect(name)) {
            assertNull(here.receive(0, Duration.ofMillis(1)), "nothing was sent");
            listener.accept().close();
            assertNull(here.receive(0, LONG));
            assertFalse(here.send((byte) 1));
        }
    }
}
