package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.Offload;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.soft.shard.SharedAddress;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The process that keeps the door of an address is stopped, and does not notice who comes.
@EnabledOnOs(OS.LINUX)
class StoppedKeeperTest {
    private final InetAddress address = Loopback.next();

    private ChildJvm holder() throws Exception {
        ChildJvm holder = new ChildJvm(AddressHolder.class, "wire", address.getHostAddress());
        assertEquals("open", holder.line());
        return holder;
    }

    private static void signal(ChildJvm child, String signal) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(child.pid())).start();
        assertTrue(kill.waitFor(20, TimeUnit.SECONDS));
        assertEquals(0, kill.exitValue());
    }

    @Test
    void shouldLetNewProcessesInByAnotherOne() throws Exception {
        try (ChildJvm keeper = holder();
                ChildJvm _ = holder()) {
            assertEquals(keeper.pid(), SharedAddress.keeper(address.getHostAddress()));
            signal(keeper, "STOP");
            try (LinuxWire third = new LinuxWire(address, 4096, Offload.ALL);
                    ChildJvm _ = holder()) {
                assertEquals(4, third.sharedAddress().holders().size());
                signal(keeper, "CONT");
                try (ChildJvm _ = holder()) {
                    assertEquals(5, third.sharedAddress().holders().size());
                }
            }
        }
    }
}
