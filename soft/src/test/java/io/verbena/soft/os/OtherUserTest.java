package io.verbena.soft.os;

import static io.verbena.soft.os.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Two users of one host.
@EnabledOnOs(OS.LINUX)
class OtherUserTest {
    private static final List<String> NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all");

    @BeforeEach
    void requireRoot() throws IOException, InterruptedException {
        Assumptions.assumeTrue(DescriptorCalls.user() == 0, "only root can become somebody else");
        List<String> command = new ArrayList<>(NOBODY);
        command.addAll(List.of(
                "test",
                "-x",
                System.getProperty("java.home") + "/bin/java",
                "-a",
                "-r",
                "target/test-classes/io/verbena/soft/os/OtherUserTest.class"));
        try {
            Process process = new ProcessBuilder(command).start();
            Assumptions.assumeTrue(
                    process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0,
                    "setpriv does not work, or others may not read Java or these classes");
        } catch (IOException e) {
            Assumptions.abort("needs setpriv: " + e.getMessage());
        }
    }

    /// Root may open any descriptor, so without a check of the owner any user could make root map their memory.
    @Test
    void shouldNotLeadRootIntoMemoryOfOthers() throws Exception {
        try (ChildJvm child = new ChildJvm(NOBODY, OtherProcess.class)) {
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
                        NOBODY,
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
