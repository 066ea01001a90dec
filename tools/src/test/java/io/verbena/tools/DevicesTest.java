package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.report.Json;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DevicesTest {
    @Test
    void shouldListTheSoftwareDeviceOfTheLoopbackAddress() {
        var run = CommandRun.of("devices");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(
                run.out().lines().anyMatch(line -> line.startsWith("soft") && line.contains("127.0.0.1")), run.out());
    }

    @Test
    void shouldShowEveryAttributeWhenAsked() {
        var run = CommandRun.of("devices", "-v");
        for (String name : List.of("max queue pairs", "port 1: active mtu", "port 1: gid 0", "capabilities")) {
            assertTrue(run.out().contains(name), name + " in " + run.out());
        }
    }

    @Test
    void shouldTellWhichPathsTheSoftwareDeviceHas() {
        var run = CommandRun.of("devices", "-v", LoopbackAddress.any());
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().matches("(?s).*path UDP +available\\R.*path shared memory +(un)?available.*"), run.out());
    }

    @Test
    void shouldShowBitsInHexAndUnknownCodesInWords() {
        var run = CommandRun.of("devices", "-v", "--provider", "soft");
        for (String line :
                List.of(" +page sizes +0x[0-9a-f]+", " +capability flags +0x[0-9a-f]+", " +vendor id +0x.*")) {
            assertTrue(run.out().lines().anyMatch(shown -> shown.matches(line)), line + " in " + run.out());
        }
        assertTrue(run.out().lines().noneMatch(line -> line.matches(".*(width|speed|physical state) +0")), run.out());
        assertTrue(
                CommandRun.of("devices", "--json").out().lines().noneMatch(line -> line.contains("page sizes\": \"")));
    }

    @Test
    void shouldTellWhichVerbsADeviceSupports() {
        var run = CommandRun.of("devices", "-v", "--provider", "soft");
        assertTrue(run.out().lines().anyMatch(line -> line.matches(" +supports +RC, .*")), run.out());
        assertTrue(run.out().lines().noneMatch(line -> line.matches(" +supports .*Exception.*")), run.out());
    }

    @Test
    void shouldTellWhyItCannotFindOutTheVerbs() {
        var poor = (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    throw new RdmaException("allocate a protection domain", Errno.ENOMEM, "raise the limit");
                });
        String told = VerbProbe.run(poor).get("verbs");
        assertTrue(told.startsWith("cannot be found out: ") && told.contains("ENOMEM"), told);
    }

    /// With devices, without, or unavailable: each provider has its word.
    @Test
    void shouldMentionEveryProvider() {
        String text = CommandRun.of("devices").out();
        String json = CommandRun.of("devices", "--json").out();
        for (RdmaProvider provider : Rdma.providers()) {
            assertTrue(
                    text.lines()
                            .anyMatch(line -> line.startsWith(provider.name() + " ")
                                    || line.startsWith("provider " + provider.name() + ": ")),
                    text);
            assertTrue(json.contains("\"name\": \"" + provider.name() + "\","), json);
        }
    }

    @Test
    void shouldShowTheDevicesOfOneProviderOnly() {
        var run = CommandRun.of("devices", "--provider", "soft");
        assertTrue(
                run.out().lines().skip(2).allMatch(line -> line.startsWith("soft ") || line.startsWith("    ")),
                run.out());
        assertEquals(2, CommandRun.of("devices", "--provider", "nobody").exitCode());
    }

    @Test
    void shouldWriteJson() {
        var run = CommandRun.of("devices", "--json");
        assertTrue(run.out().startsWith("{"), run.out());
        assertTrue(run.out().contains("\"provider\": \"soft\""), run.out());
        assertTrue(run.out().contains("\"available\": true"), run.out());
    }

    @Test
    void shouldShowTypeStateAddressLimitsAndCapabilities() {
        String address = LoopbackAddress.any();
        String out = CommandRun.of("devices", address).out();
        assertTrue(out.startsWith("1 RDMA device found\n"), out);
        assertTrue(
                out.lines()
                        .anyMatch(line ->
                                line.matches("soft +soft-" + address + " +InfiniBand.* PORT_ACTIVE +" + address)),
                out);
        assertTrue(out.lines().anyMatch(line -> line.matches(" +limits +MTU \\d+, .* QPs .*")), out);
        assertTrue(out.lines().anyMatch(line -> line.matches(" +capabilities +.*ATOMICS .*MEMORY_WINDOW.*")), out);
        assertTrue(out.lines().allMatch(line -> line.length() <= 180), out);
    }

    @Test
    void shouldShowOneDeviceByNameOrAddress() {
        for (String[] arguments : new String[][] {
            {"127.0.0.1"},
            {"soft-127.0.0.1"},
            {"-d", "soft-127.0.0.1"},
            {"--device", "127.0.0.1"},
            {"127.93.1.2"}, // not listed, but one all the same
        }) {
            var run = CommandRun.of("devices", arguments);
            assertEquals(0, run.exitCode(), run.err());
            assertTrue(run.out().startsWith("1 RDMA device found"), run.out());
            assertTrue(run.out().contains("soft-127."), run.out());
        }
        assertEquals(2, CommandRun.of("devices", "127.0.0.1", "-d", "127.0.0.1").exitCode());
    }

    @Test
    void shouldSayThatThereIsNoSuchDevice() {
        var run = CommandRun.of("devices", "mlx5_77");
        assertEquals(1, run.exitCode());
        assertEquals("", run.out());
        assertTrue(
                run.err().startsWith("verbena: there is no device 'mlx5_77'; 'verbena devices' lists them"), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
    }

    @Test
    void shouldFailWithOneLineWhenThereIsNoDeviceAtAll() {
        for (RdmaProvider provider : List.of(
                new MadeUpProvider(Availability.AVAILABLE, List.of()),
                new MadeUpProvider(Availability.unavailable("no library", "install it"), List.of()))) {
            var run = run(provider);
            assertEquals(1, run.exitCode());
            assertEquals(
                    "verbena: no RDMA device found; 'verbena doctor' tells what is missing",
                    run.err().strip());
            assertTrue(run.out().startsWith("provider made-up: "), run.out());
            assertEquals(
                    List.of(), ((Map<?, ?>) Json.read(run(provider, "--json").out())).get("devices"));
        }
    }

    @Test
    void shouldListADeviceThatCannotBeOpenedWithTheReason() {
        var provider = new MadeUpProvider(Availability.AVAILABLE, List.of(new MadeUpProvider.BrokenDevice()));
        var run = run(provider);
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().lines().anyMatch(line -> line.matches("made-up +broken0 .* not opened +-")), run.out());
        assertTrue(run.out().lines().anyMatch(line -> line.matches(" +trouble +open broken0: .*EACCES.*")), run.out());
        Map<?, ?> document = (Map<?, ?>) Json.read(run(provider, "--json").out());
        Map<?, ?> device = (Map<?, ?>) ((List<?>) document.get("devices")).getFirst();
        assertTrue(device.get("trouble").toString().contains("EACCES"), device.toString());
    }

    private static CommandRun run(RdmaProvider provider, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = new CommandLine(new DevicesCommand(() -> List.of(provider)))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }

    @Test
    void shouldWriteJsonThatProgramsCanRead() {
        Map<?, ?> document = (Map<?, ?>) Json.read(
                CommandRun.of("devices", LoopbackAddress.any(), "--json").out());
        Map<?, ?> device = (Map<?, ?>) ((List<?>) document.get("devices")).getFirst();
        assertTrue(((List<?>) device.get("capabilities")).contains("ATOMICS"), device.toString());
        Map<?, ?> details = (Map<?, ?>) device.get("details");
        assertTrue((Double) details.get("page sizes") > 0, "masks are unsigned");
        assertTrue((Double) details.get("port 1: active mtu") >= 256);
        for (String name : List.of("transport", "firmware version", "node guid", "vendor id", "port 1: link layer")) {
            assertTrue(details.containsKey(name), name);
        }
    }
}
