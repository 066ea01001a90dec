package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.program.ProgramProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers and clients, each a process of its own, that all have one address open at the same time.
@Timeout(240)
@Tag("slow")
@EnabledOnOs(OS.LINUX)
class ProgramsAtOneAddressTest {
    private final String address = LoopbackAddress.any();
    private final List<ProgramProcess> processes = new ArrayList<>();
    private String path;

    @AfterEach
    void close() {
        for (ProgramProcess process : processes) {
            process.close();
        }
    }

    private ProgramProcess start(String... arguments) throws Exception {
        String[] all = Stream.concat(
                        Stream.of(arguments), Stream.of("--device", address, "--path", path, "--timeout", "60"))
                .toArray(String[]::new);
        ProgramProcess process = ProgramProcess.start(all);
        processes.add(process);
        return process;
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "shared"})
    void shouldWorkAtOnce(String wanted) throws Exception {
        path = wanted;
        List<ProgramProcess> servers = List.of(
                start("ping", "-p", "7001", "--verify"),
                start("blast", "-p", "7002", "--verify"),
                start("copy", "-p", "7003", "--verify"),
                start("exchange", "-p", "7004", "--verify"),
                start("perf", "-p", "7005"),
                start("rping", "-s", "-P", "-a", address, "-p", "7006"));
        for (ProgramProcess server : servers) {
            server.awaitLine("server listens");
        }
        List<ProgramProcess> clients = List.of(
                start("ping", address, "-p", "7001", "--verify", "-c", "2000"),
                start("blast", address, "-p", "7002", "--verify", "-c", "2000", "-s", "1000"),
                start("copy", address, "-p", "7003", "a text", "--verify"),
                start("exchange", address, "-p", "7004", "--verify", "--text", "another text"),
                start("perf", "send-lat", address, "-p", "7005", "--verify", "-n", "2000", "-s", "100"),
                start("perf", "write-bw", address, "-p", "7005", "--verify", "-n", "2000", "-s", "4096"),
                start("rping", "-c", "-V", "-a", address, "-p", "7006", "-C", "500", "-S", "4096"));
        for (ProgramProcess client : clients) {
            assertEquals(0, client.await(), client::output);
        }
        for (ProgramProcess server : servers) {
            assertTrue(!server.output().contains("Exception"), server::output);
        }
    }
}
