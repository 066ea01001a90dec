package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.ServiceId;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.spi.QueuePairTiming;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A connection handler without a queue pair, which records its calls.
final class RecordingHandler implements ConnectionHandler {
    static final int PORT = 7471;
    static final long SERVICE = ServiceId.of(ServiceId.TCP, PORT);
    static final long TIMEOUT_NS = 5_000 * SimulatedCmNetwork.MS;
    private static final Set<CmEventType> TERMINAL = EnumSet.of(
            CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR, CmEventType.DISCONNECTED);
    private static int nextQp = 0x100;

    record Event(CmEventType type, int status, ConnectionParameters parameters) {}

    final List<Event> events = new ArrayList<>();
    final int qpNumber;
    CmConnection connection;
    CmaHeader header;
    ConnectionParameters requested;
    QueuePairPlan plan;
    boolean refuseQueuePair;
    /// Whether the program moves its queue pair itself.
    boolean isExternal;

    boolean sendsHeld;
    int failures;

    RecordingHandler() {
        this(nextQp++);
    }

    RecordingHandler(int qpNumber) {
        this.qpNumber = qpNumber;
    }

    @Override
    public void connectQueuePair(int qpNumber, QueuePairPlan plan) {
        if (refuseQueuePair) {
            throw new RdmaException("modify", Errno.EINVAL, "as the test wants");
        }
        this.plan = plan;
    }

    @Override
    public void holdSends(boolean held) {
        sendsHeld = held;
    }

    @Override
    public void failQueuePair() {
        failures++;
    }

    @Override
    public void onEvent(CmEventType type, int status, ConnectionParameters parameters) {
        events.add(new Event(type, status, parameters));
    }

    List<CmEventType> types() {
        return events.stream().map(Event::type).toList();
    }

    Event last() {
        return events.getLast();
    }

    long terminalEvents() {
        return events.stream().filter(e -> TERMINAL.contains(e.type)).count();
    }

    LocalSettings settings(String data) {
        return settings(data, 16, 16);
    }

    LocalSettings settings(String data, int responderResources, int initiatorDepth) {
        return new LocalSettings(
                qpNumber,
                isExternal,
                false,
                responderResources,
                initiatorDepth,
                false,
                5,
                6,
                QueuePairTiming.DEFAULT,
                data.getBytes(),
                TIMEOUT_NS);
    }

    static ConnectTarget target(SimulatedCmNetwork.Node from, SimulatedCmNetwork.Node to) {
        Gid source = from.facts().gid();
        Gid destination = to.facts().gid();
        CmaHeader header = CmaHeader.of(40001, source.high(), source.low(), destination.high(), destination.low());
        return new ConnectTarget(destination, SERVICE, header, 0);
    }

    void connect(SimulatedCmNetwork.Node from, SimulatedCmNetwork.Node to) {
        connection = from.agent.newConnection(this);
        connection.connect(target(from, to), settings("hello"));
    }

    void accept() {
        connection.accept(settings("welcome"));
    }

    /// A listener that notes requests; what is done with them is up to the test.
    static final class Listener implements RequestHandler {
        final List<RecordingHandler> requests = new ArrayList<>();
        int room = 100;

        static Listener on(SimulatedCmNetwork.Node node) {
            Listener listener = new Listener();
            node.agent.listen(SERVICE, listener);
            return listener;
        }

        @Override
        public ConnectionHandler onRequest(CmConnection connection, CmaHeader header, ConnectionParameters parameters) {
            if (requests.size() >= room) {
                return null;
            }
            RecordingHandler end = new RecordingHandler();
            end.connection = connection;
            end.header = header;
            end.requested = parameters;
            requests.add(end);
            return end;
        }

        RecordingHandler only() {
            if (requests.size() != 1) {
                throw new AssertionError(requests.size() + " requests");
            }
            return requests.getFirst();
        }
    }
}
