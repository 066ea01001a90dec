package io.verbena.bench.peer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What libfabric's shared-memory provider leaves behind when it is killed: files named `PID:DOMAIN:ENDPOINT`, of
/// 16 MiB each, which nobody else removes.
final class Segments {
    static final Path FOLDER = Path.of("/dev/shm");

    private Segments() {}

    /// A process that still lives, and those that it started; empty when it ended by itself.
    static List<Long> processes(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    /// Those of a process that was killed, which the system may list for a while.
    static void remove(long pid) {
        if (!Files.isDirectory(FOLDER)) {
            return;
        }
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(FOLDER, pid + ":*:*")) {
            for (Path segment : segments) {
                Files.deleteIfExists(segment);
            }
        } catch (IOException notOurs) {
            // it stays, as it would without this
        }
    }
}
