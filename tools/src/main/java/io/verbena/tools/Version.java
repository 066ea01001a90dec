package io.verbena.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/// The version that the build wrote into the jar.
public final class Version implements IVersionProvider {
    private Version() {}

    @Override
    public String[] getVersion() {
        return new String[] {"verbena " + number(), "Java " + Runtime.version()};
    }

    public static String number() {
        try (var in = Version.class.getResourceAsStream("version.txt")) {
            return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
