package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Real processes, killed with SIGKILL.
@EnabledOnOs(OS.LINUX)
class ProcessesTest {
    private static final int KILLED = 128 + 9;
    private static final int KILLS = Integer.getInteger("verbena.test.kills", 4);
    private static final String NOBODY = "65534";

    @Test
    void shouldSeeAtOnceThatProcessWasKilledAndCleanUpWithTheNextStart() throws Exception {
        SharedFolder here = SharedFolder.ofThisProcess();
        String key = "neighbour-of-" + here.process();
        Path user = Path.of("/dev/shm", "verbena-" + FileCalls.user());
        try (SharedFile mine = here.create("mine", 1);
                ChildJvm first = new ChildJvm(Neighbour.class, key)) {
            String killed = first.line();
            assertTrue(here.isAlive(killed));
            assertEquals(new Announcement(killed, "ring"), here.find(key));
            try (SharedFile ring = here.open(killed, "ring");
                    Bell bell = here.openBell(killed, "bell")) {
                assertEquals(4711, ring.memory().get(ValueLayout.JAVA_LONG, 8));
                assertEquals(KILLED, first.kill());
                assertFalse(here.isAlive(killed));
                assertNull(here.find(key));
                assertEquals(4711, ring.memory().get(ValueLayout.JAVA_LONG, 8), "what is mapped stays");
                bell.ring();
            }
            try (ChildJvm second = new ChildJvm(Neighbour.class, key + "-too")) {
                String living = second.line();
                assertFalse(Files.exists(user.resolve(killed)), "the second one's start removes the first one's rest");
                assertFalse(Files.exists(user.resolve(Names.announcement(key)), LinkOption.NOFOLLOW_LINKS));
                assertTrue(here.isAlive(living));
                assertTrue(Files.exists(user.resolve(here.process()).resolve(mine.name())));
                assertEquals(0, second.end());
                assertFalse(Files.exists(user.resolve(living)), "who ends takes its folder along");
                assertFalse(Files.exists(user.resolve(Names.announcement(key + "-too")), LinkOption.NOFOLLOW_LINKS));
                assertFalse(here.isAlive(living));
            }
        }
    }

    @Test
    void shouldHurtNobodyWhenProcessesAreKilledAnywhere() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (ScratchFolder scratch = new ScratchFolder()) {
            SharedFolder survivor = scratch.start();
            SharedFile file = survivor.create("ring", 4096);
            survivor.announce("survivor", "ring");
            for (int i = 0; i < KILLS; i++) {
                try (ChildJvm crowd =
                        new ChildJvm(Crowd.class, scratch.path().toString(), "6", Long.toString(random.nextLong()))) {
                    crowd.line();
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(100_000));
                    assertEquals(KILLED, crowd.kill(), "seed " + seed);
                }
                assertTrue(Files.exists(scratch.of(survivor).resolve(file.name())), "seed " + seed);
                assertEquals(new Announcement(survivor.process(), "ring"), survivor.find("survivor"));
            }
            SharedFolder last = scratch.start();
            assertEquals(
                    List.of(Names.announcement("survivor"), last.process(), survivor.process()).stream()
                            .sorted()
                            .toList(),
                    scratch.names(),
                    "seed " + seed);
            assertTrue(last.isAlive(survivor.process()));
            file.close();
        }
    }

    @Test
    void shouldShutOutOtherUsers() throws IOException, InterruptedException {
        Assumptions.assumeTrue(FileCalls.user() == 0, "only root can become somebody else");
        Assumptions.assumeTrue(exit("true") == 0, "setpriv is not installed");
        SharedFolder here = SharedFolder.ofThisProcess();
        Path own = Path.of("/dev/shm", "verbena-0", here.process());
        try (SharedFile _ = here.create("secret", 1);
                Bell _ = here.createBell("secret-bell")) {
            assertEquals(0, exit("stat", "/dev/shm"));
            for (Path path : List.of(own.getParent(), own, own.resolve("secret"), own.resolve("secret-bell"))) {
                assertNotEquals(0, exit("dd", "count=0", "if=" + path, "iflag=nonblock"), path.toString());
                assertNotEquals(0, exit("touch", path.toString()), path.toString());
            }
            assertNotEquals(0, exit("ls", own.getParent().toString()));
            assertNotEquals(0, exit("mv", own.getParent().toString(), own.getParent() + ".moved"));
        }
    }

    /// The exit code of a command run as a user without rights.
    private static int exit(String... command) throws IOException, InterruptedException {
        List<String> all =
                new ArrayList<>(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
        all.addAll(List.of(command));
        try {
            Process process = new ProcessBuilder(all)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }
}
