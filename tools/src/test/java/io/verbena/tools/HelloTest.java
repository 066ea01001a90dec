package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The first program runs as the README says: from its source file.
class HelloTest {
    @Test
    void shouldSayHelloFromRemoteMemory() throws Exception {
        String output = run();
        for (int i = 0; i < 20 && output.contains("EADDRINUSE"); i++) {
            Thread.sleep(500); // another program has the device of 127.0.0.1 just now
            output = run();
        }
        assertEquals("RDMA WRITE: success\nhello, remote memory\n", output);
    }

    private static String run() throws Exception {
        String modules = System.getProperty("jdk.module.path", System.getProperty("java.class.path"));
        Process hello = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-p",
                        modules,
                        "--add-modules",
                        "io.verbena.verbs,io.verbena.soft",
                        "--enable-native-access=io.verbena.soft,io.verbena.rdmacore",
                        "examples/Hello.java")
                .directory(new File(DocumentsTest.root().toString()))
                .redirectErrorStream(true)
                .start();
        String output = new String(hello.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(hello.waitFor(20, TimeUnit.SECONDS));
        return output.replace("\r", "");
    }
}
