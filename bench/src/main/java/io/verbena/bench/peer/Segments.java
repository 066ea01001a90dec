package io.verbena.bench.peer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Shared memory files that libfabric leaves behind when it is killed: `PID:DOMAIN:ENDPOINT`, of 16 MiB each. Nothing
/// else removes them.
final class Segments {
    static final Path FOLDER = Path.of("/dev/shm");

    private Segments() {}

    /// A live process and its descendants; empty when it has ended.
    static List<Long> processes(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .map(ProcessHandle::pid)
                .toList();
    }

    /// Removes the files of a killed process, which the system may list for a while.
    static void remove(long pid) {
        if (!Files.isDirectory(FOLDER)) {
            return;
        }
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(FOLDER, pid + ":*:*")) {
            for (Path segment : segments) {
                Files.deleteIfExists(segment);
            }
        } catch (IOException notOurs) {
            // the file stays, as it would without this
        }
    }
}
