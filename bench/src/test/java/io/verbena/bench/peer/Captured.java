package io.verbena.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What programs printed once on a real machine.
final class Captured {
    private Captured() {}

    static List<String> lines(String name) throws IOException {
        try (InputStream in = Captured.class.getResourceAsStream(name + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
