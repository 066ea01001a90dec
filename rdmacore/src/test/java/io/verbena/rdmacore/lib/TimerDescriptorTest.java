package io.verbena.rdmacore.lib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class TimerDescriptorTest {
    private static int ready(int fd, int timeoutMs) {
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate(PollFds.SIZE, 8).address();
            PollFds.set(fds, 0, fd);
            return Libc.poll(fds, 1, timeoutMs);
        }
    }

    @Test
    void shouldBeReadyFromTheSetMomentUntilItIsSetAgain() {
        try (TimerDescriptor timer = new TimerDescriptor();
                DescriptorSet set = new DescriptorSet(timer.fd())) {
            assertEquals(0, ready(set.fd(), 0));
            timer.set(1);
            assertEquals(1, ready(set.fd(), 20_000));
            assertEquals(1, ready(timer.fd(), 0));
            timer.set(1_000_000_000_000L);
            assertEquals(0, ready(set.fd(), 0));
            timer.set(-5);
            assertEquals(1, ready(set.fd(), 20_000));
            timer.clear();
            assertEquals(0, ready(set.fd(), 0));
        }
    }

    @Test
    void shouldTakeMembersLater() {
        try (TimerDescriptor timer = new TimerDescriptor();
                DescriptorSet set = new DescriptorSet()) {
            timer.set(1);
            assertEquals(1, ready(timer.fd(), 20_000));
            assertEquals(0, ready(set.fd(), 0));
            set.add(timer.fd());
            assertEquals(1, ready(set.fd(), 0));
        }
    }
}
