package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.verbena.roce.mad.ServiceId;
import io.verbena.soft.SoftProvider;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.net.Wires;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Ids of one process that listen on one port, one after the other, at an address that another process shares.
@EnabledOnOs(OS.LINUX)
class ListenerTurnsTest {
    private static final int ROUNDS = Integer.getInteger("verbena.test.rounds", 500);
    private static final int PORT = 7471;

    private final ConnectionManager cm = new SoftProvider().connectionManager();
    private final InetAddress address = Loopback.next();

    private ConnectionId bound() {
        ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
        id.option(ConnectionOption.REUSE_ADDRESS, 1);
        id.bind(new InetSocketAddress(address, PORT));
        return id;
    }

    @Test
    void shouldKeepThePortForTheNextWhenOneStopsMeanwhile() throws Exception {
        long service = ServiceId.of(ServiceId.TCP, PORT);
        try (var other = Wires.open(address);
                SoftContext _ = (SoftContext) new SoftProvider()
                        .device("soft-" + address.getHostAddress())
                        .orElseThrow()
                        .open()) {
            for (int round = 0; round < ROUNDS; round++) {
                ConnectionId first = bound();
                try (ConnectionId second = bound()) {
                    first.listen(0);
                    CyclicBarrier start = new CyclicBarrier(2);
                    Thread closer = Thread.ofPlatform().start(() -> {
                        await(start);
                        first.close();
                    });
                    await(start);
                    listen(second);
                    closer.join();
                    assertFalse(other.sharedAddress().isFree(service), "free for others, in round " + round);
                }
            }
        }
    }

    private static void listen(ConnectionId id) {
        for (boolean listens = false; !listens; ) {
            try {
                id.listen(0);
                listens = true;
            } catch (RdmaException taken) {
                assertEquals(Errno.EADDRINUSE, taken.errno());
            }
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
