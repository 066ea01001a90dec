package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file system for shared memory that is full.
class NoRoomTest {
    private static final String MOUNT = "mount -t tmpfs -o size=%dk,mode=1777 narrow /dev/shm && exec \"$@\"";

    private static void requireNamespaces() throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder("unshare", "-m", "sh", "-c", MOUNT.formatted(100), "sh", "true").start();
            Assumptions.assumeTrue(process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0);
        } catch (IOException e) {
            Assumptions.abort("needs unshare: " + e.getMessage());
        }
    }

    /// In the smallest only one device has room, in the next there is none for an inbox.
    @ParameterizedTest
    @ValueSource(ints = {700, 1200, 2700})
    void shouldConnectOverTheNetworkOnBothEndsOrSayWhyNot(int kibibytes) throws Exception {
        requireNamespaces();
        List<String> narrow = List.of("unshare", "-m", "sh", "-c", MOUNT.formatted(kibibytes), "sh");
        try (ChildJvm child = new ChildJvm(narrow, Narrow.class)) {
            String line = child.line();
            while (line.startsWith("refused: ")) {
                assertTrue(line.contains("/dev/shm"), line);
                line = child.line();
            }
            String[] words = line.split(" ");
            assertTrue(kibibytes < 2000 || Long.parseLong(words[1]) > 0, line);
            assertTrue(Long.parseLong(words[3]) > 0, line);
            assertEquals(0, Long.parseLong(words[5]), line);
        }
    }
}
