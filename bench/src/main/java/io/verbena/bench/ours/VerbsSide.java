package io.verbena.bench.ours;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.pair.Team;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Measurement.Waiting;
import io.verbena.bench.side.Sizes;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A program that uses the verbs, as server or client: one connection for each thread whose completion queue is polled,
/// one whose sides sleep, and [Neighbours] if the [SideSetup] asks for them. The arguments are the setup.
class VerbsSide implements BenchSide {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int LARGEST_BLOCKING = 64 * Sizes.KIB;
    private static final int LOOKS_AT_SHARED_MEMORY = 256;

    private final SideSetup setup;
    private final boolean shared;
    private final Payload payload;
    private final Team team;
    private final List<MeasuredConnection> spinning = new ArrayList<>();
    private ConnectionId listener;
    private MeasuredConnection blocking;
    private Neighbours neighbours;
    private boolean client;
    private RunLoop loop;

    VerbsSide(List<String> arguments) {
        setup = SideSetup.parse(arguments);
        shared = setup.shared();
        payload = new Payload(setup.largest());
        team = new Team(setup.threads());
    }

    static ConnectionManager manager() {
        return Rdma.provider("soft").connectionManager();
    }

    @Override
    public String address() {
        listener = manager().createEndpoint(PortSpace.TCP, setup.home(), null, LIMIT);
        listener.listen(setup.threads() + 1);
        InetSocketAddress bound = listener.localAddress();
        return bound.getAddress().getHostAddress() + " " + bound.getPort();
    }

    @Override
    public void accept() {
        for (int i = 0; i < setup.threads(); i++) {
            spinning.add(accept(false, setup.largest()));
        }
        blocking = accept(true, Math.min(setup.largest(), LARGEST_BLOCKING));
        meetNeighbours();
    }

    private void meetNeighbours() {
        if (setup.neighbours() != SideSetup.NeighbourSetup.NONE) {
            boolean ownQueue = setup.neighbours() == SideSetup.NeighbourSetup.OWN_QUEUE;
            neighbours = new Neighbours(spinning.getFirst(), ownQueue, manager(), setup.udpPeerAddress());
        }
    }

    private MeasuredConnection accept(boolean sleeps, int bytes) {
        ConnectionId id = listener.awaitRequest(LIMIT);
        if (id == null) {
            throw new IllegalStateException("no client came within " + LIMIT);
        }
        byte[] description = id.event().privateData();
        MeasuredConnection connection = new MeasuredConnection(id, sleeps, shared, bytes);
        connection.peer(description);
        id.accept(ConnectionParameters.DEFAULT.withPrivateData(connection.description()));
        return connection;
    }

    @Override
    public void connect(String address) {
        client = true;
        String[] words = address.split(" ");
        InetSocketAddress server = new InetSocketAddress(words[0], Integer.parseInt(words[1]));
        for (int i = 0; i < setup.threads(); i++) {
            spinning.add(connect(server, false, setup.largest()));
        }
        blocking = connect(server, true, Math.min(setup.largest(), LARGEST_BLOCKING));
        meetNeighbours();
    }

    private MeasuredConnection connect(InetSocketAddress server, boolean sleeps, int bytes) {
        ConnectionId id = manager().createEndpoint(PortSpace.TCP, null, server, LIMIT);
        MeasuredConnection connection = new MeasuredConnection(id, sleeps, shared, bytes);
        id.connect(ConnectionParameters.DEFAULT.withPrivateData(connection.description()));
        connection.peer(id.event().privateData());
        return connection;
    }

    @Override
    public void prepare(Measurement measurement, long messages) {
        refreshNeighbours();
        if (setup.threads() > 1 && measurement.kind() == Kind.STREAM && measurement.operation() == Operation.WRITE) {
            loop = byAll(measurement, messages);
            return;
        }
        MeasuredConnection connection = measurement.waiting() == Waiting.BLOCK ? blocking : spinning.getFirst();
        connection.counter.restart();
        loop = measurement.kind() == Kind.STREAM
                ? stream(connection, measurement, messages)
                : roundTrip(connection, measurement, messages);
    }

    /// Each thread writes its share by its own queue pair. The passive side only waits for the end of all.
    private RunLoop byAll(Measurement measurement, long messages) {
        List<RunLoop> loops = new ArrayList<>();
        for (int i = 0; i < setup.threads(); i++) {
            MeasuredConnection connection = spinning.get(i);
            connection.counter.restart();
            loops.add(stream(connection, measurement, team.share(messages, i)));
        }
        if (client) {
            return samples -> team.run(loops, samples);
        }
        return samples -> {
            for (RunLoop one : loops) {
                one.run(samples);
            }
        };
    }

    private RunLoop roundTrip(MeasuredConnection connection, Measurement measurement, long messages) {
        int size = measurement.size();
        return switch (measurement.operation()) {
            case SEND -> new SendRoundTrip(connection, client, payload, measurement, messages);
            case WRITE -> new WriteRoundTrip(connection, client, size, messages, shared ? LOOKS_AT_SHARED_MEMORY : 1);
            default ->
                client
                        ? new SequentialLoop(connection, messages, operation(connection, measurement))
                        : new PassiveLoop(connection, !shared);
        };
    }

    private RunLoop stream(MeasuredConnection connection, Measurement measurement, long messages) {
        boolean send = measurement.operation() == Operation.SEND;
        if (client) {
            payload.write(connection.region.memory(), 0, measurement.size());
            return new StreamLoop(connection, measurement.size(), messages, send, operation(connection, measurement));
        }
        return send
                ? new StreamReceiver(connection, payload, measurement, messages)
                : new PassiveLoop(connection, !shared);
    }

    private static Sends.Operation operation(MeasuredConnection connection, Measurement measurement) {
        int size = measurement.size();
        boolean inline = size <= MeasuredConnection.INLINE;
        long remote = connection.peerReceiveAddress();
        int key = connection.peerKey();
        return switch (measurement.operation()) {
            case SEND ->
                request -> request.send().from(connection.region, 0, size).inline(inline);
            case WRITE ->
                request -> request.write(remote, key)
                        .from(connection.region, 0, size)
                        .inline(inline);
            case READ -> request -> request.read(remote, key).into(connection.region, 0, size);
            case FETCH_ADD -> request -> request.fetchAndAdd(remote, key, 1).into(connection.region, 0, size);
            default -> throw new IllegalArgumentException("verbs have no " + measurement);
        };
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws Exception {
        loop.run(samples);
        refreshNeighbours();
    }

    private void refreshNeighbours() {
        if (neighbours != null) {
            neighbours.refresh();
        }
    }

    @Override
    public Map<String, Long> counters() {
        return spinning.getFirst().id.context().counters();
    }

    @Override
    public void close() {
        team.close();
        if (neighbours != null) {
            neighbours.close();
        }
        spinning.forEach(MeasuredConnection::close);
        if (blocking != null) {
            blocking.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}
