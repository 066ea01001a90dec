package io.verbena.bench.peer;

import io.verbena.bench.side.Child;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Programs that are installed on this machine.
final class Programs {
    private static final Duration VERSION_LIMIT = Duration.ofSeconds(2);
    private static final Pattern VERSION = Pattern.compile("[0-9]+\\.[0-9]+(\\.[0-9]+)?");

    private Programs() {}

    /// The first version number in the output of a program; empty when there is none.
    static String version(List<String> command) {
        try (Child child = Child.command("version", Map.of(), command)) {
            return child.awaitOutput(VERSION_LIMIT).stream()
                    .map(VERSION::matcher)
                    .filter(Matcher::find)
                    .map(Matcher::group)
                    .findFirst()
                    .orElse("");
        } catch (IOException absent) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

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
