package io.verbena.tools.demo;

import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.plain.SpinLimit;
import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.ProgramConnection;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.util.function.Function;

/// A connection that reports its steps.
abstract class DemoConnection extends ProgramConnection<DemoConnection.Purpose> {
    enum Purpose {
        RECEIVE,
        SEND,
        RDMA_WRITE,
        RDMA_READ;

        @Override
        public String toString() {
            return name().replace('_', ' ');
        }
    }

    final Report report;

    DemoConnection(ConnectionId id, Report report, Sizes sizes, boolean spins, Memory... memory) {
        Function<CompletionQueue, Waiting> waiting = spins ? _ -> new Spinning() : Waiting::notified;
        super(id, Purpose.class, sizes, new Waits(!spins, waiting, new Peer(id), Patience.ANSWER), memory);
        this.report = report;
    }

    /// Spins as the plain sockets do that it is compared with.
    private static final class Spinning implements Waiting {
        private final SpinLimit limit = new SpinLimit("the other process does not answer", Patience.ANSWER);
        private int turns;

        @Override
        public void begin() {
            limit.restart();
        }

        @Override
        public void arm() {}

        @Override
        public boolean rest() {
            limit.spin();
            return ++turns % SPINS == 0;
        }

        @Override
        public boolean sleeps() {
            return false;
        }
    }

    /// The demo has no option for its timeouts.
    private record Peer(ConnectionId id) implements CompletionLoop.Peer {
        @Override
        public boolean isGone() {
            return CompletionLoop.Peer.of(id).isGone();
        }

        @Override
        public String remedy() {
            return "";
        }
    }

    private static ConnectionId newId(String provider) {
        ConnectionId id = Rdma.provider(provider).connectionManager().createSynchronousId(PortSpace.TCP);
        id.timeout(Patience.ANSWER);
        return id;
    }

    /// A client's id with address and route resolved, ready for a queue pair. Both processes share an adapter with one
    /// address; the software device of each process needs an address of its own, and finds one.
    static ConnectionId resolve(String provider, InetSocketAddress server, Report report) {
        boolean soft = provider.equals(DeviceOptions.SOFT);
        ConnectionId id = newId(provider);
        try {
            InetSocketAddress local = soft ? null : new InetSocketAddress(server.getAddress(), 0);
            id.resolveAddress(local, server, Patience.ANSWER);
            report.event("%s", CmEventType.ADDRESS_RESOLVED);
            id.resolveRoute(Patience.ANSWER);
            report.event("%s", CmEventType.ROUTE_RESOLVED);
            return id;
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
    }

    /// A listening id; port 0 picks a free one.
    static ConnectionId listen(String provider, InetSocketAddress local) {
        ConnectionId id = newId(provider);
        try {
            id.bind(local);
            id.listen(1);
            return id;
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
    }

    static ConnectionId awaitRequest(ConnectionId listener, Report report) {
        ConnectionId request = listener.awaitRequest(Patience.START);
        if (request == null) {
            throw new ProgramException("no client came within " + Patience.START.toSeconds() + " s");
        }
        request.timeout(Patience.ANSWER);
        report.event("%s", CmEventType.CONNECT_REQUEST);
        return request;
    }

    void connect(ConnectionParameters parameters) {
        id().connect(parameters);
        report.event("%s", CmEventType.ESTABLISHED);
    }

    void accept(ConnectionParameters parameters) {
        id().accept(parameters);
        report.event("%s", CmEventType.ESTABLISHED);
    }

    void disconnect() {
        id().disconnect();
        report.event("%s", CmEventType.DISCONNECTED);
    }

    void awaitDisconnect() {
        if (!loop().awaitDisconnect(Patience.ANSWER)) {
            throw new ProgramException("the client did not disconnect within " + Patience.ANSWER.toSeconds() + " s");
        }
        report.event("%s", CmEventType.DISCONNECTED);
    }
}
