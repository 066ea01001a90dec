package io.verbena.bench.peer;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/// Programs of this machine.
final class Programs {
    private Programs() {}

    /// The file that a shell would run for that name or path.
    static Optional<Path> find(String name) {
        return find(name, System.getenv().getOrDefault("PATH", ""));
    }

    static Optional<Path> find(String name, String path) {
        Stream<Path> places = name.contains("/")
                ? Stream.of(Path.of(name))
                : Stream.of(path.split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .map(folder -> Path.of(folder, name));
        return places.filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
