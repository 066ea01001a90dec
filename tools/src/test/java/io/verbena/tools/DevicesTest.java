package io.verbena.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    void shouldWriteJson() {
        var run = CommandRun.of("devices", "--json");
        assertTrue(run.out().startsWith("{"), run.out());
        assertTrue(run.out().contains("\"provider\": \"soft\""), run.out());
        assertTrue(run.out().contains("\"available\": true"), run.out());
    }
}
