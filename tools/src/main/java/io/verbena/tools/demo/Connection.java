package io.verbena.tools.demo;

import io.verbena.tools.device.DeviceOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;

/// An id of the connection manager, and the events that are expected next.
final class Connection implements AutoCloseable {
    private final EventChannel channel;
    private final ConnectionId id;
    private final boolean ownsChannel;
    private final Report report;

    private Connection(EventChannel channel, ConnectionId id, boolean ownsChannel, Report report) {
        this.channel = channel;
        this.id = id;
        this.ownsChannel = ownsChannel;
        this.report = report;
    }

    private static Connection create(String provider, Report report) {
        ConnectionManager cm = Rdma.provider(provider).connectionManager();
        EventChannel channel = cm.createEventChannel();
        return new Connection(channel, cm.createId(channel, PortSpace.TCP), true, report);
    }

    /// A client's id with address and route resolved, ready for a queue pair. Both processes share an adapter with one
    /// address; the software device of each process needs an address of its own, and finds one.
    static Connection resolve(String provider, InetSocketAddress server, Report report) {
        Connection connection = create(provider, report);
        boolean soft = provider.equals(DeviceOptions.SOFT);
        InetSocketAddress local = soft ? null : new InetSocketAddress(server.getAddress(), 0);
        connection.id.resolveAddress(local, server, Patience.ANSWER);
        connection.expect(CmEventType.ADDRESS_RESOLVED);
        connection.id.resolveRoute(Patience.ANSWER);
        connection.expect(CmEventType.ROUTE_RESOLVED);
        return connection;
    }

    /// A listening id; port 0 picks a free one.
    static Connection listen(String provider, InetSocketAddress local, Report report) {
        Connection connection = create(provider, report);
        try {
            connection.id.bind(local);
            connection.id.listen(1);
            return connection;
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /// Waits for the next connection request on a listener. Its events arrive on the listener's channel.
    Connection awaitRequest() {
        ConnectionId request =
                expect(CmEventType.CONNECT_REQUEST, Patience.START).id();
        return new Connection(channel, request, false, report);
    }

    CmEvent expect(CmEventType wanted) {
        return expect(wanted, Patience.ANSWER);
    }

    private CmEvent expect(CmEventType wanted, Duration patience) {
        CmEvent event;
        do {
            event = channel.await(patience);
            // the time-wait of an earlier connection does not concern this one
        } while (event != null && event.type() == CmEventType.TIMEWAIT_EXIT && wanted != event.type());
        if (event == null) {
            throw new DemoException("no " + wanted + " within " + patience.toSeconds() + " s: the other process hangs");
        }
        if (event.type() != wanted) {
            throw new DemoException("expected " + wanted + ", but got " + event.explain());
        }
        report.event("%s", wanted);
        return event;
    }

    ConnectionId id() {
        return id;
    }

    @Override
    public void close() {
        id.close();
        if (ownsChannel) {
            channel.close();
        }
    }
}
