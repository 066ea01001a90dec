package io.verbena.tools.perf.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes files of results.
final class ResultFile {
    private ResultFile() {}

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "write " + file + ": " + e.getClass().getSimpleName()
                            + "; is there such a folder, and may you write there?",
                    e);
        }
    }
}
