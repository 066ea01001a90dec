package io.verbena.bench.pair;

import io.verbena.bench.side.Child;
import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Two JVMs with a [Worker] each. The warm-up determines how many messages fit into the time.
public class PairContestant implements Contestant {
    static final String SERVER = "server";
    static final String CLIENT = "client";

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration RUN_LIMIT = Duration.ofSeconds(30);
    private static final long FIRST_MESSAGES = 16;
    private static final long MOST_MESSAGES = 20_000_000;
    /// Largest growth of the message count: after one fast run, a larger count would make the next slow run too long.
    private static final int MOST_GROWTH = 8;

    private static final long PACED_GAP_MS = 10;
    /// The last stage of the JIT compilers begins after thousands of calls, which take long before it. Few messages fit
    /// into the time of a run when they are long.
    private static final long WARM_MESSAGES = 40_000;

    /// A stream of short messages, which is as fast as the code, is warm when so many runs in a row were not faster
    /// than those before by more than their usual spread: what was compiled is compiled again when more is known of it.
    private static final int STEADY_RUNS = 8;

    private static final double FASTER = 1.03;
    private static final int SHORT_BYTES = 4096;

    /// Compilation time that is always there.
    private static final long LITTLE_COMPILING_MS = 10;

    private static final long LONGEST_WARM_UP_NS = 3_000_000_000L;
    /// No warm-up takes longer than this many times what was asked for: compilers may be busy for ever.
    private static final int MOST_WARM_UPS = 20;

    private final Profile profile;
    private final Network network;
    private final Map<Measurement, Double> perSecond = new ConcurrentHashMap<>();
    private long compiledMs;
    private volatile Child server;
    private volatile Child client;

    /// The properties of a contestant.
    ///
    /// - `side`: implements [BenchSide] with a constructor that takes the arguments
    /// - `options`: options of both JVMs
    /// - `supported`: what it can measure, for any size from `smallest` to `largest`
    public record Profile(
            String name,
            Class<? extends BenchSide> side,
            List<String> options,
            List<String> arguments,
            Set<Ability> supported,
            int smallest,
            int largest) {
        public Profile(
                String name,
                Class<? extends BenchSide> side,
                List<String> options,
                List<String> arguments,
                Set<Ability> supported,
                int largest) {
            this(name, side, options, arguments, supported, 1, largest);
        }
    }

    /// A measurement without its size.
    public record Ability(Kind kind, Measurement.Operation operation, Measurement.Waiting waiting, boolean read) {
        public static Ability of(Measurement m) {
            return new Ability(m.kind(), m.operation(), m.waiting(), m.read());
        }
    }

    public PairContestant(Profile profile) {
        this(profile, Network.LOOPBACK);
    }

    /// @param network where the two JVMs run; their addresses are among the profile's arguments
    public PairContestant(Profile profile, Network network) {
        this.profile = profile;
        this.network = network;
    }

    @Override
    public String name() {
        return profile.name();
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public boolean can(Measurement measurement) {
        return measurement.size() >= profile.smallest()
                && measurement.size() <= profile.largest()
                && profile.supported().contains(Ability.of(measurement));
    }

    @Override
    public void open() throws Exception {
        server = worker(SERVER);
        client = worker(CLIENT);
        String address = server.await("address", START_LIMIT);
        client.send("connect " + address);
        client.await("connected", START_LIMIT);
        server.await("connected", START_LIMIT);
    }

    private Child worker(String role) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(profile.side().getName(), role));
        arguments.addAll(profile.arguments());
        List<String> command = Child.javaCommand(profile.options(), Worker.class, arguments);
        return Child.command(name() + " " + role, Map.of(), network.command(role.equals(SERVER), command));
    }

    /// Runs of growing length, so that compilers see loops that end. Takes longer than asked while the compilers are
    /// busy.
    @Override
    public void warmUp(Measurement measurement, Duration time) throws Exception {
        long end = System.nanoTime() + Math.min(LONGEST_WARM_UP_NS, MOST_WARM_UPS * time.toNanos());
        boolean spins = measurement.kind() != Kind.PACED && measurement.waiting() == Measurement.Waiting.SPIN;
        long enough = spins ? WARM_MESSAGES : 0;
        int steadyEnough =
                spins && measurement.kind() == Kind.STREAM && measurement.size() <= SHORT_BYTES ? STEADY_RUNS : 0;
        long exchanged = 0;
        long exchangedNs = 0;
        long messages = measurement.kind() == Kind.PACED ? 2 : FIRST_MESSAGES;
        double fastest = 0;
        int steady = 0;
        do {
            long start = System.nanoTime();
            exchange(measurement, messages);
            exchangedNs += System.nanoTime() - start;
            exchanged += messages;
            boolean isFaster = perSecond.get(measurement) > FASTER * fastest;
            fastest = isFaster ? perSecond.get(measurement) : fastest;
            steady = isFaster ? 0 : steady + 1;
            double wanted = perSecond.get(measurement) * time.toNanos() / 4e9;
            messages = Math.clamp((long) wanted, 1, Math.min(messages * MOST_GROWTH, MOST_MESSAGES));
        } while ((isTooCold(exchangedNs, time.toNanos()) || exchanged < enough || steady < steadyEnough)
                && System.nanoTime() - end < 0);
    }

    @Override
    public int warmUps() {
        return 2;
    }

    private boolean isTooCold(long spentNs, long timeNs) throws IOException, InterruptedException {
        long compiled = Long.parseLong(ask(true, "compiled")) + Long.parseLong(ask(false, "compiled"));
        boolean compiling = compiled > compiledMs + LITTLE_COMPILING_MS;
        compiledMs = compiled;
        return spentNs < (compiling ? MOST_WARM_UPS * timeNs : timeNs);
    }

    @Override
    public RunResult run(Measurement measurement, Duration time) throws Exception {
        if (measurement.kind() == Kind.PACED) {
            return exchange(measurement, Math.max(1, time.toMillis() / PACED_GAP_MS));
        }
        if (!perSecond.containsKey(measurement)) {
            warmUp(measurement, time);
        }
        double wanted = perSecond.get(measurement) * time.toNanos() / 1e9;
        return exchange(measurement, Math.clamp((long) wanted, 1, MOST_MESSAGES));
    }

    /// Exchanges that many messages, whatever time they take.
    public RunResult exchange(Measurement measurement, long messages) throws IOException, InterruptedException {
        String order = "run " + measurement.toLine() + " " + messages;
        server.send(order);
        server.await("ready", RUN_LIMIT);
        client.send(order);
        List<String> said = awaitBoth("done", RUN_LIMIT);
        String[] clientSays = said.get(0).split(" ", 3);
        String[] serverSays = said.get(1).split(" ");
        double cpuNs = Long.parseLong(clientSays[0]) + Long.parseLong(serverSays[0]);
        double allocated = Long.parseLong(clientSays[1]) + Long.parseLong(serverSays[1]);
        RunResult result = RunResult.parse(clientSays[2]).withUsage(cpuNs / messages, allocated / messages);
        perSecond.put(measurement, result.messagesPerSecond());
        return result;
    }

    /// Makes the next runs determine again how many messages fit into the time, after exchanges before the warm-up.
    protected void forgetRates() {
        perSecond.clear();
    }

    /// Sends an order of one word to the client or the server and returns the answer, which begins with that word.
    public String ask(boolean ofClient, String order) throws IOException, InterruptedException {
        Child child = ofClient ? client : server;
        child.send(order);
        return child.await(order, RUN_LIMIT);
    }

    /// Sends an order to both at once, and returns the answers of the client and the server.
    public List<String> askBoth(String order, Duration limit) throws IOException, InterruptedException {
        String word = order.split(" ")[0];
        server.send(order);
        client.send(order);
        return awaitBoth(word, limit);
    }

    /// When one fails, the other may only notice that its peer is gone; the error has what both say.
    private List<String> awaitBoth(String word, Duration limit) throws IOException, InterruptedException {
        try {
            return List.of(client.await(word, limit), server.await(word, limit));
        } catch (IOException e) {
            String others = String.join("; ", server.rest());
            if (server.isAlive() && others.isEmpty()) {
                throw e;
            }
            throw new IOException(
                    e.getMessage() + "; the server" + (others.isEmpty() ? " has ended" : ": " + others), e);
        }
    }

    @Override
    public void close() {
        for (Child child : new Child[] {client, server}) {
            if (child != null) {
                child.close();
            }
        }
        forgetRates();
    }
}
