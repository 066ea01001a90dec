package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import io.verbena.bench.pair.Side;
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

/// A program that uses the verbs, as server or as client: a connection for each thread whose completion queue is
/// polled, one whose sides sleep, and [Neighbours] where the [Setup], which the arguments are, wants them.
final class VerbsSide implements Side {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int LARGEST_BLOCKING = 64 * Sizes.KIB;
    private static final int LOOKS_AT_SHARED_MEMORY = 256;

    private final Setup setup;
    private final boolean shared;
    private final Payload payload;
    private final Team team;
    private final List<Link> spinning = new ArrayList<>();
    private ConnectionId listener;
    private Link blocking;
    private Neighbours neighbours;
    private boolean client;
    private Loop loop;

    VerbsSide(List<String> arguments) {
        setup = Setup.parse(arguments);
        shared = setup.shared();
        payload = new Payload(setup.largest());
        team = new Team(setup.threads());
    }

    private static ConnectionManager manager() {
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
        if (setup.company() != Setup.Company.NONE) {
            boolean ownQueue = setup.company() == Setup.Company.OWN_QUEUE;
            neighbours = new Neighbours(spinning.getFirst(), ownQueue, manager(), setup.udpPeerAddress());
        }
    }

    private Link accept(boolean sleeps, int bytes) {
        ConnectionId id = listener.awaitRequest(LIMIT);
        if (id == null) {
            throw new IllegalStateException("no client came within " + LIMIT);
        }
        byte[] description = id.event().privateData();
        Link link = new Link(id, sleeps, shared, bytes);
        link.peer(description);
        id.accept(ConnectionParameters.DEFAULT.withPrivateData(link.description()));
        return link;
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

    private Link connect(InetSocketAddress server, boolean sleeps, int bytes) {
        ConnectionId id = manager().createEndpoint(PortSpace.TCP, null, server, LIMIT);
        Link link = new Link(id, sleeps, shared, bytes);
        id.connect(ConnectionParameters.DEFAULT.withPrivateData(link.description()));
        link.peer(id.event().privateData());
        return link;
    }

    @Override
    public void prepare(Measurement measurement, long messages) {
        refreshNeighbours();
        if (setup.threads() > 1 && measurement.kind() == Kind.STREAM && measurement.operation() == Operation.WRITE) {
            loop = byAll(measurement, messages);
            return;
        }
        Link link = measurement.waiting() == Waiting.BLOCK ? blocking : spinning.getFirst();
        link.tally.restart();
        loop = measurement.kind() == Kind.STREAM
                ? stream(link, measurement, messages)
                : roundTrip(link, measurement, messages);
    }

    /// Each thread writes its share by its own queue pair. The other side only waits for all of them to end.
    private Loop byAll(Measurement measurement, long messages) {
        List<Loop> loops = new ArrayList<>();
        for (int i = 0; i < setup.threads(); i++) {
            Link link = spinning.get(i);
            link.tally.restart();
            loops.add(stream(link, measurement, team.share(messages, i)));
        }
        if (client) {
            return samples -> team.run(loops, samples);
        }
        return samples -> {
            for (Loop one : loops) {
                one.run(samples);
            }
        };
    }

    private Loop roundTrip(Link link, Measurement measurement, long messages) {
        int size = measurement.size();
        return switch (measurement.operation()) {
            case SEND -> new SendRoundTrip(link, client, payload, measurement, messages);
            case WRITE -> new WriteRoundTrip(link, client, size, messages, shared ? LOOKS_AT_SHARED_MEMORY : 1);
            default ->
                client ? new OneAtATime(link, messages, operation(link, measurement)) : new Bystander(link, !shared);
        };
    }

    private Loop stream(Link link, Measurement measurement, long messages) {
        boolean send = measurement.operation() == Operation.SEND;
        if (client) {
            payload.write(link.region.memory(), 0, measurement.size());
            return new Streaming(link, measurement.size(), messages, send, operation(link, measurement));
        }
        return send ? new StreamReceiver(link, payload, measurement, messages) : new Bystander(link, !shared);
    }

    private static Sends.Operation operation(Link link, Measurement measurement) {
        int size = measurement.size();
        boolean inline = size <= Link.INLINE;
        long remote = link.peerReceiveAddress();
        int key = link.peerKey();
        return switch (measurement.operation()) {
            case SEND -> request -> request.send().from(link.region, 0, size).inline(inline);
            case WRITE ->
                request -> request.write(remote, key).from(link.region, 0, size).inline(inline);
            case READ -> request -> request.read(remote, key).into(link.region, 0, size);
            case FETCH_ADD -> request -> request.fetchAndAdd(remote, key, 1).into(link.region, 0, size);
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
        spinning.forEach(Link::close);
        if (blocking != null) {
            blocking.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}
