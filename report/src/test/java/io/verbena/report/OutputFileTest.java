package io.verbena.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldWriteAndReplace() throws Exception {
        Path file = folder.resolve("result");
        OutputFile.write(file, "old");
        OutputFile.write(file, "new");
        assertEquals("new", Files.readString(file));
        assertEquals(List.of("result"), names());
    }

    @Test
    void shouldLeaveTheOldFileWhenTheDiskIsFull() throws Exception {
        Path file = Files.writeString(folder.resolve("result"), "old");
        OutputException failed = assertThrows(
                OutputException.class,
                () -> OutputFile.write(file, true, out -> {
                    out.write(new byte[1000]);
                    throw new IOException("No space left on device");
                }));
        assertEquals("cannot write " + file + ": No space left on device", failed.getMessage());
        assertEquals("old", Files.readString(file));
        assertEquals(List.of("result"), names());
    }

    @Test
    void shouldKeepWhatIsNotToBeOverwritten() throws Exception {
        Path file = Files.writeString(folder.resolve("result"), "old");
        assertThrows(FileAlreadyExistsException.class, () -> OutputFile.write(file, false, out -> out.write(1)));
        assertEquals("old", Files.readString(file));
    }

    @Test
    void shouldWriteThroughALink() throws Exception {
        Path file = Files.writeString(folder.resolve("result"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        OutputFile.write(link, "new");
        assertEquals("new", Files.readString(file));
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    void shouldMakeTheFileThatALinkNames() throws Exception {
        Path file = folder.resolve("result");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("result"));
        OutputFile.write(link, "new");
        assertEquals("new", Files.readString(file));
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepTheRightsOfTheFile() throws Exception {
        Path file = Files.writeString(folder.resolve("result"), "old");
        Set<PosixFilePermission> rights = PosixFilePermissions.fromString("rwx-w---x");
        Files.setPosixFilePermissions(file, rights);
        OutputFile.write(file, "new");
        assertEquals("new", Files.readString(file));
        assertEquals(rights, Files.getPosixFilePermissions(file));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKeepTheOtherNamesOfTheFile() throws Exception {
        Path file = Files.writeString(folder.resolve("result"), "old and longer");
        Path other = Files.createLink(folder.resolve("other"), file);
        OutputFile.write(file, "new");
        assertEquals("new", Files.readString(other));
        assertEquals(List.of("other", "result"), names());
    }

    /// As in a folder of another user; the name is so long that no temporary name fits beside it.
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldFillInPlaceWhereNoFileCanBeMadeBesideIt() throws Exception {
        Path file = Files.writeString(folder.resolve("x".repeat(250)), "old and longer");
        OutputFile.write(file, "new");
        assertEquals("new", Files.readString(file));
        assertEquals(1, names().size());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveTheOldFileWhenItCannotBeReplacedAndTheContentFails() throws Exception {
        Path file = Files.writeString(folder.resolve("x".repeat(250)), "old");
        assertThrows(
                OutputException.class,
                () -> OutputFile.write(file, true, out -> {
                    throw new IOException("no content");
                }));
        assertEquals("old", Files.readString(file));
    }

    /// As with `--json /dev/stdout > result`.
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldWriteIntoAFileThatTheSystemNamesByItsDescriptor() throws Exception {
        Path file = folder.toRealPath().resolve("result");
        try (OutputStream open = Files.newOutputStream(file)) {
            open.write("first ".getBytes(StandardCharsets.US_ASCII));
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            Path link = Files.createSymbolicLink(folder.resolve("link"), descriptorOf(file));
            OutputFile.write(link, "second");
            assertEquals("first second", Files.readString(file));
            assertEquals(
                    key, Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        }
    }

    private static Path descriptorOf(Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(descriptor -> isLinkTo(descriptor, file))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static boolean isLinkTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldKnowThatTheReaderOfAPipeLeft() throws Exception {
        // Lives on, because the JDK closes the pipe to a process that has ended.
        Process reader = new ProcessBuilder("sh", "-c", "exec 0<&-; exec tail -f /dev/null").start();
        IOException failed = assertThrows(IOException.class, () -> {
            try (OutputStream out = reader.getOutputStream()) {
                out.write(new byte[100_000]);
            }
        });
        reader.destroy();
        assertTrue(new OutputException("pipe", failed).isReaderGone(), failed.getMessage());
        assertFalse(new OutputException("pipe", new IOException("No space left on device")).isReaderGone());
        assertFalse(new OutputException("pipe", new IOException()).isReaderGone());
    }

    @Test
    void shouldSayThatThereIsNoFolder() {
        Path file = folder.resolve("no/where");
        assertEquals(
                "cannot write " + file + ": its folder does not exist",
                assertThrows(OutputException.class, () -> OutputFile.write(file, "text"))
                        .getMessage());
    }
}
