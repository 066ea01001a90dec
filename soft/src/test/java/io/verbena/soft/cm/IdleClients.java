package io.verbena.soft.cm;

import io.verbena.soft.SoftProvider;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// A process with many idle connections. It says `connected`, and `disconnected` when all have ended.
final class IdleClients {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long PAUSE_NS = 10_000_000;

    private IdleClients() {}

    /// Own address, the server's address and port, how many.
    public static void main(String[] arguments) {
        ConnectionManager cm = new SoftProvider().connectionManager();
        InetSocketAddress server = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        List<CmSide> sides = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
            ConnectionId id = cm.createSynchronousId(PortSpace.TCP);
            id.timeout(LONG);
            id.resolveAddress(new InetSocketAddress(arguments[0], 0), server, LONG);
            id.resolveRoute(LONG);
            CmSide side = new CmSide(id);
            side.id.connect(null);
            sides.add(side);
        }
        System.out.println("connected");
        while (!sides.isEmpty()) {
            sides.removeIf(side -> side.id.event().type() == CmEventType.DISCONNECTED);
            LockSupport.parkNanos(PAUSE_NS);
        }
        System.out.println("disconnected");
    }
}
