package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.RdmaException;
import java.io.File;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxWireTest extends WireContract {
    @Override
    Wire open(InetAddress local) {
        return new LinuxWire(local, LocalLink.maxPayload(local));
    }

    @Test
    void shouldLeaveNoDescriptorOpen() {
        InetAddress local = Loopback.next();
        open(local).close();
        int before = descriptors();
        for (int i = 0; i < 100; i++) {
            open(local).close();
            assertThrows(RdmaException.class, () -> open(Loopback.address("192.0.2.1")));
        }
        assertTrue(descriptors() < before + 50, before + " before, " + descriptors() + " after");
    }

    private static int descriptors() {
        return new File("/proc/self/fd").list().length;
    }
}
