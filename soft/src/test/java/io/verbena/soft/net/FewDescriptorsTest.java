package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.Offload;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.shard.SharedAddress;
import io.verbena.verbs.RdmaException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Opening an address in a process that may have few descriptors.
@EnabledOnOs(OS.LINUX)
class FewDescriptorsTest {
    private static final List<String> FEW = List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh");

    private final InetAddress address = Loopback.next();

    /// Whatever step fails for want of a descriptor, all others are closed, and the next attempt succeeds.
    @Test
    void shouldLeaveNothingBehindWhenOpeningFails() throws Exception {
        try (ChildJvm child = new ChildJvm(FEW, Opener.class, "begin", address.getHostAddress())) {
            assertEquals("good", child.line());
        }
    }

    @Test
    void shouldSayWhatIsMissingWhenOthersHaveTheAddress() throws Exception {
        try (LinuxWire first = new LinuxWire(address, 4096, Offload.ALL);
                ChildJvm child = new ChildJvm(FEW, Opener.class, "join", address.getHostAddress())) {
            String refused = child.line();
            assertTrue(refused.startsWith("EMFILE"), refused);
            assertTrue(refused.contains("needs about 70 descriptors; raise ulimit -n"), refused);
            assertEquals("good", child.line());
            assertEquals(1, first.sharedAddress().holders().size());
        }
    }

    /// The other process.
    static final class Opener {
        private static final int ENOUGH = 80;
        private static final int FEW = 20;

        private final InetAddress address;
        private final Deque<FileInputStream> files = new ArrayDeque<>();

        private Opener(String address) {
            this.address = InetAddress.ofLiteral(address);
        }

        public static void main(String[] words) throws Exception {
            Opener opener = new Opener(words[1]);
            loadClasses();
            if (words[0].equals("begin")) {
                opener.begin();
            } else {
                opener.join();
            }
            System.out.println("good");
        }

        private SharedAddress open() {
            return SharedAddress.open(
                    AddressText.of(address), LinuxSocket.shared(address, new SocketAddresses(address)), new Random(1));
        }

        private void begin() throws IOException {
            open().close();
            int before = descriptors();
            int failed = 0;
            for (int free = ENOUGH; free >= 0; free--) {
                leave(free);
                try (SharedAddress opened = open()) {
                    failed += opened == null ? 1 : 0;
                } catch (RdmaException refused) {
                    failed++;
                }
                leave(ENOUGH);
                open().close();
                close();
                require(before, descriptors(), "descriptors after an attempt with " + free + " free ones");
            }
            require(1, failed < ENOUGH / 2 ? 0 : 1, "attempts that failed: " + failed);
        }

        private void join() throws IOException {
            leave(FEW);
            try (SharedAddress opened = open()) {
                System.out.println("opened " + opened);
            } catch (RdmaException refused) {
                System.out.println(refused.errno() + " " + refused.getMessage());
            }
            close();
            open().close();
        }

        private static void require(int wanted, int found, String what) {
            if (wanted != found) {
                throw new IllegalStateException(what + ": " + found + " instead of " + wanted);
            }
        }

        private static int descriptors() {
            return new File("/proc/self/fd").list().length;
        }

        /// Leaves that many descriptors to be had.
        private void leave(int free) throws IOException {
            try {
                while (true) {
                    files.add(new FileInputStream("/dev/null"));
                }
            } catch (FileNotFoundException full) {
                for (int i = 0; i < free; i++) {
                    files.removeLast().close();
                }
            }
        }

        private void close() throws IOException {
            for (FileInputStream file : files) {
                file.close();
            }
            files.clear();
        }

        /// From a folder they cannot be loaded without a descriptor.
        private static void loadClasses() throws IOException, URISyntaxException {
            for (Class<?> one : List.of(SharedAddress.class, RdmaException.class, Opener.class)) {
                Path root = Path.of(
                        one.getProtectionDomain().getCodeSource().getLocation().toURI());
                if (Files.isDirectory(root)) {
                    try (Stream<Path> all = Files.walk(root)) {
                        all.map(file -> root.relativize(file).toString())
                                .filter(name -> name.matches("io/verbena/(soft/(shard|os|net)|verbs)/[^/]*class"))
                                .forEach(Opener::load);
                    }
                }
            }
        }

        private static void load(String file) {
            try {
                Class.forName(
                        file.substring(0, file.length() - ".class".length()).replace('/', '.'),
                        false,
                        Opener.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError absent) {
                // A test's, which is not needed.
            }
        }
    }
}
