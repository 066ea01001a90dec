package io.verbena.bench.soak;

import io.verbena.bench.side.Sample;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The long-lived process of one path: `Survivor PATH NETWORK FIRST SEED MILLISECONDS WRONG_BYTE_IN`. Its device and
/// those of its partners have the addresses from FIRST on in that network.
///
/// It prints `status TALLY SAMPLE TURN` every second, at the end `flat` or `short`, and `done`; or `failure TEXT`. It
/// ends when its standard input does.
public final class Survivor {
    /// Addresses for one survivor and its partners.
    static final int ADDRESSES = 4;

    private static final Duration LONGEST_TURN = Duration.ofSeconds(180);
    private static final long SAMPLE_NS = 3_000_000_000L;
    private static final long STATUS_MS = 1000;
    private static final String FAULTS = "faults inside the engine";
    private static final String LOST = "completions lost to a full queue";
    private static final String SHARED = "messages over shared memory";

    private final SoakPath path;
    private final String network;
    private final int first;
    private final long seed;
    private final long endNs;
    private final String wrongByteIn;
    private final SoakCounters counters = new SoakCounters();
    private final GrowthCheck watch = new GrowthCheck();
    private volatile Sample sample;
    private volatile SoakPlan.Turn turn = new SoakPlan.Turn(0, SoakPlan.Kind.TALK, 0);
    private volatile long turnStartNs = System.nanoTime();
    private volatile Throwable failure;

    private Survivor(String[] arguments) throws Exception {
        path = SoakPath.valueOf(arguments[0]);
        network = arguments[1];
        first = Integer.parseInt(arguments[2]);
        seed = Long.parseLong(arguments[3]);
        endNs = System.nanoTime()
                + Duration.ofMillis(Long.parseLong(arguments[4])).toNanos();
        wrongByteIn = arguments[5];
        sample = Sample.take();
    }

    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().name("input").start(Survivor::endWithInput);
        try {
            new Survivor(arguments).direct();
        } catch (Throwable e) { // any error must be reported to the parent
            fail(e);
        }
        System.exit(0);
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException gone) {
            // an error is the end, too
        }
        System.exit(1);
    }

    private static void fail(Throwable e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        String text = e instanceof SoakFailure && e.getCause() == null ? e.getMessage() : trace.toString();
        System.out.println("failure " + text.strip().replace("\n", "\\n"));
        System.exit(1);
    }

    /// Prints the status, and ends the process when the turns hang.
    private void direct() throws Exception {
        Thread turns = Thread.ofPlatform().daemon().name("turns").start(this::work);
        while (turns.isAlive()) {
            turns.join(STATUS_MS);
            System.out.println("status " + counters.encode() + " " + sample.encode() + " " + turn);
            if (System.nanoTime() - turnStartNs > LONGEST_TURN.toNanos()) {
                throw new SoakFailure("%s did not end within %d s; its thread waits at %s"
                        .formatted(turn, LONGEST_TURN.toSeconds(), List.of(turns.getStackTrace())));
            }
        }
        if (failure != null) {
            throw SoakFailure.of(turn.toString(), failure);
        }
        System.out.println(watch.isLongEnough() ? "flat" : "short");
        System.out.println("done");
    }

    private void work() {
        try (SoakServer server = new SoakServer(network + first, counters)) {
            List<String> arguments = List.of(network + first, Integer.toString(server.port()), wrongByteIn);
            TurnRunner.Setup setup = new TurnRunner.Setup(
                    path, network + first, List.of(network + (first + 2), network + (first + 3)), network, arguments);
            try (TurnRunner turns = new TurnRunner(setup, server, counters);
                    SteadyConnections steady = new SteadyConnections(
                            server,
                            new PartnerProcess(path, network + (first + 1), seed, arguments),
                            counters,
                            KnownBytes.mix(seed))) {
                run(turns, steady, server);
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void run(TurnRunner turns, SteadyConnections steady, SoakServer server) throws Exception {
        SoakPlan plan = new SoakPlan(seed);
        long sampledNs = System.nanoTime();
        while (System.nanoTime() - endNs < 0) {
            turnStartNs = System.nanoTime();
            turn = plan.next();
            turns.run(turn);
            steady.check();
            checkCounters(server.context().counters());
            if (System.nanoTime() - sampledNs > SAMPLE_NS) {
                sampledNs = System.nanoTime();
                sample = Sample.take();
                watch.add(sample);
            }
        }
        steady.finish();
        checkCounters(server.context().counters());
        checkPath(server.context().counters());
        List<String> growth = watch.growth();
        if (!growth.isEmpty()) {
            throw new SoakFailure(String.join("; ", growth));
        }
    }

    private void checkCounters(Map<String, Long> counters) {
        for (String never : List.of(FAULTS, LOST)) {
            if (counters.getOrDefault(never, 0L) != 0) {
                throw new SoakFailure(never + ": " + counters);
            }
        }
    }

    /// At the end, when messages have certainly been sent.
    private void checkPath(Map<String, Long> counters) {
        boolean shared = counters.getOrDefault(SHARED, 0L) > 0;
        if (shared != (path == SoakPath.SHARED_MEMORY)) {
            throw new SoakFailure("messages do not go by " + path + ": " + counters);
        }
    }
}
