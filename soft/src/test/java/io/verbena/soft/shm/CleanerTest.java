package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class CleanerTest {
    private static final String DEAD = "process-1-00000000000000ff";

    private final ScratchFolder scratch = new ScratchFolder();
    private final SharedFolder survivor = scratch.start();

    @AfterEach
    void close() {
        survivor.remove();
        scratch.close();
    }

    @Test
    void shouldRemoveWhatDeadProcessLeft() throws IOException {
        SharedFolder dead = scratch.start();
        dead.create("ring", 1);
        dead.createBell("bell");
        dead.announce("key", "ring");
        dead.abandon();
        assertFalse(survivor.isAlive(dead.process()));
        assertNull(survivor.find("key"));
        assertTrue(Files.exists(scratch.of(dead).resolve("ring")), "asking alone removes nothing");
        clean();
        assertEquals(List.of(survivor.process()), scratch.names());
    }

    @Test
    void shouldKeepWhatLivingProcessHas() throws IOException {
        try (SharedFile _ = survivor.create("ring", 1)) {
            survivor.announce("key", "ring");
            clean();
            assertEquals(new Announcement(survivor.process(), "ring"), survivor.find("key"));
            assertTrue(Files.exists(scratch.of(survivor).resolve("ring")));
        }
    }

    @Test
    void shouldLeaveAloneWhatIsNotOurs() throws IOException {
        Path user = scratch.path();
        Files.createFile(user.resolve("notes.txt"));
        Files.createDirectory(user.resolve("process-one"));
        Files.createFile(user.resolve("process-2-00000000000000ff"));
        Files.createFile(user.resolve("key-file"));
        List<String> before = scratch.names();
        clean();
        assertEquals(before, scratch.names());
    }

    @Test
    void shouldNotFollowLinkInPlaceOfSubfolder() throws IOException {
        Path precious = Files.createDirectory(scratch.path().resolveSibling("precious"));
        Files.createFile(precious.resolve("file"));
        Files.createSymbolicLink(scratch.path().resolve(DEAD), precious);
        clean();
        assertTrue(Files.exists(precious.resolve("file")));
        assertFalse(survivor.isAlive(DEAD));
    }

    @Test
    void shouldRemoveLinkButNotItsTarget() throws IOException {
        Path precious = Files.createFile(scratch.path().resolveSibling("precious"));
        SharedFolder dead = scratch.start();
        Files.createSymbolicLink(scratch.of(dead).resolve("planted"), precious);
        Files.createSymbolicLink(scratch.path().resolve("key-planted"), precious);
        dead.abandon();
        clean();
        assertTrue(Files.exists(precious));
        assertEquals(List.of(survivor.process()), scratch.names());
    }

    @Test
    void shouldNotLockTargetOfLinkInPlaceOfLockFile() throws IOException {
        Path subfolder = scratch.path().resolve(DEAD);
        UserFolder.make(subfolder);
        Path precious = Files.createFile(scratch.path().resolveSibling("precious"));
        Files.createSymbolicLink(subfolder.resolve(Names.LOCK), precious);
        for (int i = 0; i < 10; i++) {
            scratch.start().abandon();
        }
        clean();
        assertTrue(Files.exists(precious));
        assertEquals(
                List.of(DEAD, survivor.process()).stream().sorted().toList(),
                scratch.names(),
                "what no process of ours made is left, and stops nobody from removing the others");
    }

    @Test
    void shouldCleanAfterProcessKilledAtItsStartAndAfterCleanerKilledHalfWay() throws IOException {
        UserFolder.make(scratch.path().resolve("process-1-0000000000000001"));
        Path unlocked = scratch.path().resolve("process-1-0000000000000002");
        UserFolder.make(unlocked);
        Files.createFile(unlocked.resolve(Names.LOCK));
        Path lockless = scratch.path().resolve("process-1-0000000000000003");
        UserFolder.make(lockless);
        Files.createFile(lockless.resolve("ring"));
        clean();
        assertEquals(List.of(survivor.process()), scratch.names());
    }

    @Test
    void shouldKeepFilesOfProcessWhoseLockFileCameAfterTheLook() throws IOException {
        try (SharedFile _ = survivor.create("ring", 1)) {
            Cleaner.remove(scratch.of(survivor), false);
            assertTrue(Files.exists(scratch.of(survivor).resolve("ring")));
            assertTrue(survivor.isAlive(survivor.process()));
        }
    }

    @Test
    void shouldLoseNothingOfLivingOnesInCrowd() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
        for (int i = 0; i < 6; i++) {
            Crowd crowd = new Crowd(scratch.path(), seed + i);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    while (System.nanoTime() < end && failure.get() == null) {
                        crowd.turn();
                    }
                } catch (RuntimeException | AssertionError e) {
                    failure.set(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError("seed " + seed, failure.get());
        }
        clean();
        assertEquals(List.of(survivor.process()), scratch.names(), "seed " + seed);
    }

    /// A start, which cleans, and an end.
    private void clean() {
        scratch.start().remove();
    }
}
