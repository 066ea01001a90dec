package io.verbena.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The committed copy of the report, renewed by hand: it must not forget what is tested.
class ConformanceDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "conformance.md");

    @Test
    void shouldHaveAColumnForEachPairThatIsTested() throws IOException {
        String header = Files.readString(DOCUMENT)
                .lines()
                .filter(line -> line.startsWith("| Rule | Text | Test |"))
                .findFirst()
                .orElseThrow();
        for (String pairing : List.of(
                "soft-soft over UDP |",
                "soft-soft over UDP and IPv6 |",
                "soft-soft over shared memory |",
                "native-native, Linux ",
                "native-soft, Linux ",
                "soft-native, Linux ")) {
            assertTrue(header.contains("| " + pairing), pairing + " is not in " + header);
        }
    }
}
