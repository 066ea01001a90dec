package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class SharedFolderTest {
    private final ScratchFolder scratch = new ScratchFolder();
    private final SharedFolder one = scratch.start();
    private final SharedFolder other = scratch.start();

    @AfterEach
    void close() {
        one.remove();
        other.remove();
        scratch.close();
    }

    @Test
    void shouldShareZeroedMemory() {
        try (SharedFile file = one.create("ring", 10_000);
                SharedFile seen = other.open(one.process(), "ring")) {
            assertEquals("ring", seen.name());
            assertEquals(10_000, file.memory().byteSize());
            assertEquals(10_000, seen.memory().byteSize());
            assertEquals(
                    -1, seen.memory().mismatch(MemorySegment.ofArray(new byte[10_000])), "a new file is all zeros");
            file.memory().set(ValueLayout.JAVA_LONG, 9992, 42);
            assertEquals(42, seen.memory().get(ValueLayout.JAVA_LONG, 9992));
        }
    }

    @Test
    void shouldKeepMemoryOfPeerThatClosedItsFile() {
        SharedFile file = one.create("ring", 4096);
        try (SharedFile seen = other.open(one.process(), "ring")) {
            file.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
            file.close();
            file.close();
            assertFalse(file.memory().scope().isAlive());
            assertFalse(Files.exists(scratch.of(one).resolve("ring")));
            assertEquals(7, seen.memory().get(ValueLayout.JAVA_BYTE, 0));
        }
        assertFailure(Errno.ENOENT, () -> other.open(one.process(), "ring"));
    }

    @Test
    void shouldLeaveFileToItsMaker() {
        try (SharedFile file = one.create("ring", 1)) {
            other.open(one.process(), "ring").close();
            one.open(one.process(), "ring").close();
            assertTrue(Files.exists(scratch.of(one).resolve(file.name())));
        }
    }

    @Test
    void shouldRefuseNameThatIsTaken() {
        try (SharedFile _ = one.create("ring", 1);
                Bell _ = one.createBell("bell");
                SharedFile _ = other.create("ring", 1)) {
            assertFailure(Errno.EEXIST, () -> one.create("ring", 1));
            assertFailure(Errno.EEXIST, () -> one.createBell("bell"));
            assertTrue(Files.exists(scratch.of(one).resolve("ring")), "the refused one must not take the first along");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".lock", "../x", "a/b", "/etc/passwd", "a b", "ä", "a\0b"})
    void shouldRefuseOddNames(String name) {
        assertFailure(Errno.EINVAL, () -> one.create(name, 1));
        assertFailure(Errno.EINVAL, () -> one.createBell(name));
        assertFailure(Errno.EINVAL, () -> one.open(other.process(), name));
        assertFailure(Errno.EINVAL, () -> one.openBell(other.process(), name));
        assertFailure(Errno.EINVAL, () -> one.open(name, "ring"));
        assertFailure(Errno.EINVAL, () -> one.announce(name, "ring"));
        assertFailure(Errno.EINVAL, () -> one.announce("key", name));
        assertFailure(Errno.EINVAL, () -> one.find(name));
        assertFalse(one.isAlive(name));
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 60, Long.MAX_VALUE, 1L << 42})
    void shouldSayThatMemoryIsOutAndLeaveNothing(long bytes) throws IOException {
        assertFailure(Errno.ENOMEM, () -> one.create("huge", bytes));
        assertEquals(List.of(Names.LOCK), list(scratch.of(one)));
        one.create("huge", 1).close();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseFilesOfNothing(long bytes) {
        assertFailure(Errno.EINVAL, () -> one.create("none", bytes));
    }

    @Test
    void shouldCarryRings() {
        Bell mine = one.createBell("bell");
        try (Bell handle = other.openBell(one.process(), "bell")) {
            for (int i = 0; i < 100_000; i++) {
                handle.ring(); // more than a FIFO holds: the rest is lost on purpose
            }
            mine.silence();
            mine.close();
            mine.close();
            handle.ring();
            mine.ring();
            assertFailure(Errno.ENOENT, () -> other.openBell(one.process(), "bell"));
        }
    }

    @Test
    void shouldRefuseToRingFile() {
        try (SharedFile _ = one.create("ring", 1)) {
            assertThrows(RdmaException.class, () -> other.openBell(one.process(), "ring"));
        }
    }

    @Test
    void shouldFindWhatWasAnnouncedLast() {
        assertNull(one.find("::1"));
        one.announce("::1", "first");
        assertEquals(new Announcement(one.process(), "first"), other.find("::1"));
        other.announce("::1", "second");
        assertEquals(new Announcement(other.process(), "second"), one.find("::1"));
        one.withdraw("::1");
        assertEquals(new Announcement(other.process(), "second"), one.find("::1"));
        other.withdraw("::1");
        other.withdraw("::1");
        assertNull(one.find("::1"));
    }

    @Test
    void shouldForgetProcessThatEnded() throws IOException {
        try (SharedFile _ = other.create("ring", 1);
                Bell _ = other.createBell("bell")) {
            other.announce("key", "ring");
            assertTrue(one.isAlive(other.process()));
            other.remove();
            assertFalse(one.isAlive(other.process()));
            assertFalse(other.isAlive(other.process()));
            assertNull(one.find("key"));
            assertEquals(List.of(one.process()), scratch.names());
            assertFailure(Errno.EBADF, () -> other.create("late", 1));
            assertFailure(Errno.EBADF, () -> other.announce("late", "ring"));
        }
    }

    @Test
    void shouldLookAliveUntilTheLastHookIsDone() throws IOException {
        try (SharedFile file = other.create("ring", 1)) {
            other.announce("key", "ring");
            other.leave();
            assertTrue(file.memory().scope().isAlive());
            assertTrue(one.isAlive(other.process()));
            assertTrue(other.isAlive(other.process()));
            assertNull(one.find("key"));
            assertEquals(List.of(Names.LOCK), list(scratch.of(other)));
        }
    }

    @Test
    void shouldTellThatItselfLives() {
        assertTrue(one.isAlive(one.process()));
        assertTrue(other.isAlive(one.process()));
        assertTrue(one.isAlive(one.process()), "asking must not take the lock away");
        assertTrue(other.isAlive(one.process()));
    }

    @Test
    void shouldLetOnlyItsUserIn() throws IOException {
        try (SharedFile _ = one.create("ring", 1);
                Bell _ = one.createBell("bell")) {
            one.announce("key", "ring");
            Path own = scratch.of(one);
            assertEquals("rwx------", mode(scratch.path()));
            assertEquals("rwx------", mode(own));
            assertEquals("rw-------", mode(own.resolve("ring")));
            assertEquals("rw-------", mode(own.resolve("bell")));
            assertEquals("rw-------", mode(own.resolve(Names.LOCK)));
            assertEquals("rw-------", mode(scratch.path().resolve(Names.ANNOUNCEMENTS_LOCK)));
        }
    }

    @Test
    void shouldRefuseFolderThatOthersCanEnter() throws IOException {
        Path folder = scratch.path().resolveSibling("open");
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        String message = assertFailure(Errno.EACCES, () -> new SharedFolder(folder));
        assertTrue(message.contains("has mode 750"), message);
    }

    @Test
    void shouldRefuseFolderOfSomebodyElse() throws IOException {
        Assumptions.assumeTrue(FileCalls.user() == 0, "only root can give a folder away");
        Path folder = scratch.path().resolveSibling("given-away");
        UserFolder.make(folder);
        Files.setAttribute(folder, "unix:uid", 65534);
        String message = assertFailure(Errno.EACCES, () -> new SharedFolder(folder));
        assertTrue(message.contains("belongs to user 65534"), message);
    }

    @Test
    void shouldRefuseLinkInPlaceOfFolder() throws IOException {
        Path link = Files.createSymbolicLink(scratch.path().resolveSibling("link"), scratch.path());
        String message = assertFailure(Errno.EACCES, () -> new SharedFolder(link));
        assertTrue(message.contains("is no folder"), message);
    }

    @Test
    void shouldRefuseFolderWhoseParentIsAnybodys() throws IOException {
        Path parent = scratch.path().resolveSibling("anybodys");
        Files.createDirectory(parent);
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertFailure(Errno.EACCES, () -> new SharedFolder(parent.resolve("user")));
    }

    @Test
    void shouldSayWhatIsMissing() {
        String message = assertFailure(
                Errno.EOPNOTSUPP, () -> new SharedFolder(scratch.path().resolve("no/where")));
        assertTrue(message.contains("mount a tmpfs"), message);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static List<String> list(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String assertFailure(Errno errno, Runnable action) {
        RdmaException e = assertThrows(RdmaException.class, action::run);
        assertEquals(errno, e.errno(), e.getMessage());
        return e.getMessage();
    }
}
