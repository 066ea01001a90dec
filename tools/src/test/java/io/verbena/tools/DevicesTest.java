package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Rdma;
import io.verbena.verbs.spi.RdmaProvider;
import java.util.List;
import org.junit.jupiter.api.Test;

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
        assertTrue(run.out().lines().anyMatch(line -> line.matches(" +supports RC +yes")), run.out());
        assertTrue(run.out().lines().noneMatch(line -> line.matches(" +supports .*Exception.*")), run.out());
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
        assertTrue(run.out().lines().skip(1).allMatch(line -> line.startsWith("soft ")), run.out());
        assertEquals(2, CommandRun.of("devices", "--provider", "nobody").exitCode());
    }

    @Test
    void shouldWriteJson() {
        var run = CommandRun.of("devices", "--json");
        assertTrue(run.out().startsWith("{"), run.out());
        assertTrue(run.out().contains("\"provider\": \"soft\""), run.out());
        assertTrue(run.out().contains("\"available\": true"), run.out());
    }
}
