package io.verbena.soft.net;

import java.net.InetAddress;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxWireWaitTest extends WaitContract {
    @Override
    Wire open(InetAddress local) {
        return new LinuxWire(local, LocalLink.maxPayload(local), Offload.ALL);
    }
}
