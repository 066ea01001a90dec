package io.verbena.tools.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files that describe a machine, all under one root, so that tests can make up a machine. Paths have no leading
/// slash. A file that cannot be read counts as absent.
record Machine(Path root) {
    /// The machine that this program runs on.
    static Machine here() {
        return new Machine(Path.of("/"));
    }

    Path path(String path) {
        return root.resolve(path);
    }

    boolean isLinux() {
        return exists("proc/self") || exists("sys/class");
    }

    boolean exists(String path) {
        return Files.exists(path(path));
    }

    boolean isReadable(String path) {
        return Files.isReadable(path(path));
    }

    /// Whether this user may read and write the file.
    boolean isOpen(String path) {
        return Files.isReadable(path(path)) && Files.isWritable(path(path));
    }

    List<String> lines(String path) {
        try {
            return Files.readAllLines(path(path));
        } catch (IOException | UncheckedIOException absent) {
            return List.of();
        }
    }

    /// The first line; empty when there is none.
    String line(String path) {
        return lines(path).stream().findFirst().orElse("").strip();
    }

    /// The number in a file, -1 when there is none.
    long number(String path) {
        try {
            return Long.parseLong(line(path));
        } catch (NumberFormatException none) {
            return -1;
        }
    }

    /// The names in a folder, in order.
    List<String> names(String folder) {
        try (Stream<Path> all = Files.list(path(folder))) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException | UncheckedIOException absent) {
            return List.of();
        }
    }

    /// The file behind a symbolic link, or the file itself.
    Optional<Path> target(String path) {
        try {
            return Optional.of(path(path).toRealPath());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /// The target of a symbolic link, whether or not it exists; empty when the file is no link.
    String link(String path) {
        try {
            return Files.readSymbolicLink(path(path)).toString();
        } catch (IOException | UnsupportedOperationException none) {
            return "";
        }
    }
}
