package io.verbena.soft.os;

import static io.verbena.soft.os.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.rig.OtherUser;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Two users of one host.
@EnabledOnOs(OS.LINUX)
class OtherUserTest {
    @BeforeEach
    void requireRoot() throws IOException, InterruptedException {
        OtherUser.require();
    }

    /// Root may open any descriptor, so without a check of the owner any user could make root map their memory.
    @Test
    void shouldNotLeadRootIntoMemoryOfOthers() throws Exception {
        try (ChildJvm child = new ChildJvm(OtherUser.NOBODY, OtherProcess.class)) {
            var place = OtherProcess.Place.of(child);
            assertRefused(
                    Errno.EACCES,
                    () -> SealedMemory.open(place.pid(), place.memoryFd(), place.nonce(), OtherProcess.BYTES));
            assertRefused(Errno.EACCES, () -> Bell.open(place.pid(), place.ringFd()));
        }
    }

    @Test
    void shouldShutOutOtherUsers() throws Exception {
        try (SealedMemory memory = SealedMemory.create(1, false);
                Bell bell = Bell.create();
                ChildJvm child = new ChildJvm(
                        OtherUser.NOBODY,
                        Intruder.class,
                        "" + ProcessHandle.current().pid(),
                        "" + memory.fd(),
                        "" + memory.nonce(),
                        "" + bell.ringFd())) {
            assertEquals("EACCES EACCES", child.line());
        }
    }

    /// Tries to open memory and bell of another user, and prints the errors.
    static final class Intruder {
        private Intruder() {}

        public static void main(String[] words) {
            long pid = Long.parseLong(words[0]);
            String memory =
                    attempt(() -> SealedMemory.open(pid, Integer.parseInt(words[1]), Long.parseLong(words[2]), 1));
            String bell = attempt(() -> Bell.open(pid, Integer.parseInt(words[3])));
            System.out.println(memory + " " + bell);
        }

        private static String attempt(Runnable call) {
            try {
                call.run();
                return "open";
            } catch (RdmaException e) {
                return e.errno().name();
            }
        }
    }
}
