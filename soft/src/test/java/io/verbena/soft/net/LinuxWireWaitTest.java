package io.verbena.soft.net;

import io.verbena.soft.option.Offload;
import java.net.InetAddress;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxWireWaitTest extends WaitContract {
    @Override
    Wire open(InetAddress local) {
        return new LinuxWire(local, LocalInterface.maxPayload(local), Offload.ALL);
    }
}
