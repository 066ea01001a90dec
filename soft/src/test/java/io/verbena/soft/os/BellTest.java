package io.verbena.soft.os;

import static io.verbena.soft.os.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.Errno;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BellTest {
    private static final long PID = ProcessHandle.current().pid();
    /// More than a pipe holds.
    private static final int MANY = 70_000;

    @Test
    void shouldWakeAThreadOfAnotherProcess() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            try (Bell bell = Bell.open(place.pid(), place.ringFd())) {
                for (int i = 0; i < 3; i++) {
                    child.tell(OtherProcess.WAIT);
                    assertEquals(OtherProcess.WAITING, child.line());
                    Thread.sleep(20); // so that it mostly sleeps already
                    bell.ring();
                    assertEquals(OtherProcess.WOKEN, child.line());
                    assertTrue(bell.isAlive());
                }
            }
        }
    }

    @Test
    void shouldTellThatTheOtherProcessWasKilled() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            try (Bell bell = Bell.open(place.pid(), place.ringFd())) {
                assertTrue(bell.isAlive());
                for (int i = 0; i < MANY; i++) {
                    bell.ring();
                }
                assertTrue(bell.isAlive(), "full, but alive");
                child.kill();
                assertFalse(bell.isAlive(), "though its child process lives");
                bell.ring();
                assertFalse(bell.isAlive());
            }
            assertRefused(Errno.ENOENT, () -> Bell.open(place.pid(), place.ringFd()));
        }
    }

    @Test
    void shouldTellThatTheOtherProcessHasClosedIt() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            try (Bell bell = Bell.open(place.pid(), place.ringFd())) {
                child.tell(OtherProcess.CLOSE_BELL);
                assertEquals(OtherProcess.DONE, child.line());
                assertFalse(bell.isAlive());
                bell.ring();
                assertRefused(Errno.ENOENT, () -> Bell.open(place.pid(), place.ringFd()));
            }
        }
    }

    @Test
    void shouldRefuseADescriptorThatIsNoPipe() {
        try (SealedMemory memory = SealedMemory.create(1, false)) {
            assertRefused(Errno.EINVAL, () -> Bell.open(PID, memory.fd()));
            int socket = SocketCalls.unixSocket();
            assertRefused(Errno.EINVAL, () -> Bell.open(PID, socket));
            DescriptorCalls.close(socket);
            assertRefused(Errno.ENOENT, () -> Bell.open(PID, Integer.MAX_VALUE));
        }
    }

    @Test
    void shouldCloseTwiceAndBeSilentAfterwards() {
        Bell bell = Bell.create();
        Bell handle = Bell.open(PID, bell.ringFd());
        assertEquals(-1, handle.fd());
        handle.silence();
        assertTrue(bell.isAlive());
        assertTrue(bell.hold());
        bell.close();
        assertTrue(handle.isAlive(), "somebody holds it still");
        assertFalse(bell.isAlive());
        assertFalse(bell.hold());
        bell.release();
        assertFalse(handle.isAlive());
        bell.close();
        bell.ring();
        bell.silence();
        handle.close();
        handle.close();
        assertFalse(handle.isAlive());
    }
}
