package io.verbena.bench.ours;

import io.verbena.bench.pair.BenchSide;
import io.verbena.bench.pair.Samples;
import io.verbena.bench.pair.Team;
import io.verbena.bench.side.Measurement;
import io.verbena.verbs.Context;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Two connections in one process, each with two completion queues of its own, and one thread that drives both
/// connections or two threads that drive one each. A thread drives both ends of a connection: so two processors are
/// enough for two threads, which between two processes would be four. The server's process has nothing to do.
///
/// Arguments: the number of threads, then the addresses of the two ends of each connection. Connections with the same
/// addresses have the same two devices.
final class ThreadsSide implements BenchSide {
    static final int CONNECTIONS = 2;

    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final Team team;
    private final List<String> addresses;
    private final List<MeasuredConnection> senders = new ArrayList<>();
    private final List<MeasuredConnection> receivers = new ArrayList<>();
    private final List<Team.Part> parts = new ArrayList<>();
    private Payload payload;

    ThreadsSide(List<String> arguments) {
        team = new Team(Integer.parseInt(arguments.getFirst()));
        addresses = arguments.subList(1, arguments.size());
    }

    @Override
    public String address() {
        return "none";
    }

    @Override
    public void accept() {}

    @Override
    public void connect(String address) throws Exception {
        payload = new Payload(Ours.SHORT);
        for (int i = 0; i < CONNECTIONS; i++) {
            connect(addresses.get(2 * i), addresses.get(2 * i + 1));
        }
    }

    private void connect(String from, String to) throws InterruptedException, ExecutionException {
        ConnectionManager manager = VerbsSide.manager();
        try (ConnectionId listener = manager.createEndpoint(PortSpace.TCP, new InetSocketAddress(to, 0), null, LIMIT)) {
            listener.listen(1);
            FutureTask<MeasuredConnection> accepted = new FutureTask<>(() -> accept(listener));
            Thread.ofPlatform().daemon().name("accept").start(accepted);
            ConnectionId id = manager.createEndpoint(
                    PortSpace.TCP, new InetSocketAddress(from, 0), listener.localAddress(), LIMIT);
            senders.add(new MeasuredConnection(id, false, false, Ours.SHORT));
            id.connect(ConnectionParameters.DEFAULT);
            receivers.add(accepted.get());
        }
    }

    private static MeasuredConnection accept(ConnectionId listener) {
        ConnectionId id = listener.awaitRequest(LIMIT);
        if (id == null) {
            throw new IllegalStateException("no request came within " + LIMIT);
        }
        MeasuredConnection connection = new MeasuredConnection(id, false, false, Ours.SHORT);
        id.accept(ConnectionParameters.DEFAULT);
        return connection;
    }

    @Override
    public void prepare(Measurement measurement, long messages) {
        parts.clear();
        if (senders.isEmpty()) {
            return;
        }
        List<BothEnds> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            long share = messages / CONNECTIONS + (i == 0 ? messages % CONNECTIONS : 0);
            all.add(new BothEnds(senders.get(i), receivers.get(i), payload, measurement, share));
        }
        if (team.threads() == 1) {
            parts.add(samples -> drive(samples, all.getFirst(), all.getLast()));
        } else {
            all.forEach(one -> parts.add(samples -> drive(samples, one)));
        }
    }

    private static void drive(Samples samples, BothEnds only) {
        samples.begin();
        while (!only.isDone()) {
            only.step();
        }
        samples.end();
    }

    private static void drive(Samples samples, BothEnds one, BothEnds other) {
        samples.begin();
        while (!one.isDone() || !other.isDone()) {
            one.step();
            other.step();
        }
        samples.end();
    }

    @Override
    public void run(Measurement measurement, long messages, Samples samples) throws Exception {
        if (!parts.isEmpty()) {
            team.run(parts, samples);
        }
    }

    /// Of all devices together.
    @Override
    public Map<String, Long> counters() {
        Set<Context> devices = new LinkedHashSet<>();
        senders.forEach(one -> devices.add(one.id.context()));
        receivers.forEach(one -> devices.add(one.id.context()));
        Map<String, Long> sum = new LinkedHashMap<>();
        devices.forEach(device -> device.counters().forEach((name, count) -> sum.merge(name, count, Long::sum)));
        return sum;
    }

    @Override
    public void close() {
        team.close();
        senders.forEach(MeasuredConnection::close);
        receivers.forEach(MeasuredConnection::close);
    }
}
