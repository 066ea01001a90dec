package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LibcTest {
    @Test
    void shouldWaitOnDescriptors() {
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate(PollFds.SIZE, 8).address();
            long value = arena.allocateFrom(JAVA_LONG, 1).address();
            int fd = Libc.eventfd();
            PollFds.set(fds, 0, fd);
            assertEquals(0, Libc.poll(fds, 1, 0));
            assertFalse(PollFds.isReady(fds, 0));
            assertEquals(8, Libc.write(fd, value, 8));
            assertEquals(1, Libc.poll(fds, 1, 10_000));
            assertTrue(PollFds.isReady(fds, 0));
            assertEquals(8, Libc.read(fd, value, 8));
            assertEquals(-Libc.EAGAIN, Libc.read(fd, value, 8));
            assertEquals(0, Libc.setNonBlocking(fd));
            assertEquals(0, Libc.close(fd));
            assertEquals(-Errno.EBADF.number(), Libc.close(fd));
            assertEquals(-Errno.EBADF.number(), Libc.setNonBlocking(fd));
        }
    }

    @Test
    void shouldKnowTheSystem() {
        assertTrue(Libc.pageSize() >= 4096);
        assertEquals(0, Libc.pageSize() % 4096);
        Libc.lockedMemoryLimit().ifPresent(limit -> assertTrue(limit >= 0));
    }
}
