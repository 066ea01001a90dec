package io.verbena.soft.shm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A user's folder of a test's own, in memory, so that tests do not meet in the real one.
final class ScratchFolder implements AutoCloseable {
    private final Path above;

    ScratchFolder() {
        try {
            above = Files.createTempDirectory(Path.of("/dev/shm"), "verbena-test-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return above.resolve("user");
    }

    SharedFolder start() {
        return new SharedFolder(path());
    }

    Path of(SharedFolder process) {
        return path().resolve(process.process());
    }

    /// What is there, sorted, except for the lock of the announcements, which stays.
    List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(path())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(Names.ANNOUNCEMENTS_LOCK))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(above)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
