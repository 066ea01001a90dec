package io.verbena.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/// The version that the build wrote into the jar.
final class Version implements IVersionProvider {
    private Version() {}

    @Override
    public String[] getVersion() throws IOException {
        try (var in = Version.class.getResourceAsStream("version.txt")) {
            String version = in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            return new String[] {"verbena " + version, "Java " + Runtime.version()};
        }
    }
}
