package io.verbena.applications;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The class paths of programs, as the build leaves them in the folder `target`.
public final class Libraries {
    private static final Path TARGET = target();

    private Libraries() {}

    /// All programs and libraries, with Netty 4.1.
    public static String all() {
        try {
            return classes() + ":"
                    + Files.readString(TARGET.resolve("class.path")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the class path of programs is missing; build: ./verbena build -Dslow", e);
        }
    }

    /// All without the jars whose names begin so.
    public static String allBut(String name) {
        return Arrays.stream(all().split(":"))
                .filter(jar -> !jar.substring(jar.lastIndexOf('/') + 1).startsWith(name))
                .collect(Collectors.joining(":"));
    }

    /// Netty 4.2 and the small programs of this module.
    public static String netty42() {
        return classes() + ":" + TARGET.resolve("netty42") + "/*";
    }

    /// The folder of this module's build.
    public static Path folder() {
        return TARGET;
    }

    private static Path classes() {
        return TARGET.resolve("classes");
    }

    private static Path target() {
        try {
            Path classes = Path.of(Libraries.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.getParent();
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
