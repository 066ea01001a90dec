package io.verbena.tools.perf.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.BackgroundCommand;
import io.verbena.tools.CommandRun;
import io.verbena.tools.LoopbackAddress;
import io.verbena.tools.demo.JvmCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// From the measurement to the verdict, as people and CI do it.
@Timeout(90)
class ResultProcessTest {
    @TempDir
    private Path folder;

    /// The output; standard error follows standard output.
    private String run(int expectedCode, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(JvmCommand.build(List.of()));
        command.add("perf");
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        } finally {
            process.destroyForcibly();
        }
        String output = Files.readString(out) + Files.readString(err);
        assertEquals(expectedCode, process.exitValue(), output);
        return output;
    }

    @Test
    void shouldMeasureSaveDrawAndCompare() throws Exception {
        String server = LoopbackAddress.any();
        String picture = folder.resolve("picture.svg").toString();
        String file = folder.resolve("result.json").toString();
        try (var serving = BackgroundCommand.start("perf", "--device", server, "-p", "0")) {
            serving.awaitText("server listens on");
            String port = portOf(serving);
            String[] client = {
                "send-lat",
                server,
                "-p",
                port,
                "--device",
                LoopbackAddress.any(),
                "-n",
                "500",
                "-s",
                "64",
                "--warm-up",
                "0",
                "--plot",
                picture,
                "--json",
                file
            };
            assertTrue(run(0, client).contains("Send Latency Test"));
        }
        SavedResult saved = SavedResult.read(Path.of(file));
        assertEquals(500, saved.sizes().getFirst().samples());
        assertTrue(Files.readString(Path.of(picture)).contains("p99: "));

        Path slower = Files.writeString(
                folder.resolve("slower.json"),
                Files.readString(Path.of(file)).replaceFirst("\"p50\": [^,]+", "\"p50\": 1e9"));
        assertTrue(run(1, "compare", file, slower.toString()).contains("WORSE"));
        assertEquals(0, CommandRun.of("perf", "compare", file, file).exitCode());
    }

    private static String portOf(BackgroundCommand serving) {
        var port = Pattern.compile("port (\\d+)").matcher(serving.out());
        assertTrue(port.find());
        return port.group(1);
    }
}
