package io.verbena.bench.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// Runs the turns of the survivor with one partner, which dies in some of them.
final class TurnRunner implements AutoCloseable {
    /// The addresses and the arguments of partners.
    ///
    /// - `addresses`: of the partners; a new one gets any of them, so that some reuse the address of one that was
    ///   killed
    /// - `strangers`: prefix of addresses for forgers
    /// - `arguments`: of partners, after their address
    record Setup(SoakPath path, String address, List<String> addresses, String strangers, List<String> arguments) {}

    private final Setup setup;
    private final SoakServer server;
    private final SoakCounters counters;
    private PartnerProcess partner;

    TurnRunner(Setup setup, SoakServer server, SoakCounters counters) throws IOException {
        this.setup = setup;
        this.server = server;
        this.counters = counters;
        start(new Random(0));
    }

    private void start(Random random) throws IOException {
        String address = setup.addresses().get(random.nextInt(setup.addresses().size()));
        partner = new PartnerProcess(setup.path(), address, random.nextLong(), setup.arguments());
    }

    void run(SoakPlan.Turn turn) throws IOException {
        Random random = new Random(turn.seed());
        switch (turn.kind()) {
            case TALK -> talk(random);
            case KILL -> kill(random, this::whileMessagesFlow);
            case KILL_CONNECTING -> kill(random, this::whileConnecting);
            case KILL_IDLE -> kill(random, this::whileIdle);
            case STOP -> stop(random);
            case STOP_LONG -> stopLong(random);
            case CHURN -> churn(random);
            case KILL_CHURN -> killChurn(random);
            case FLOOD -> flood(random);
        }
        server.check();
        counters.add(SoakCounters.Count.ROUNDS, 1);
    }

    private SoakExchange exchange(Random random, long quota) {
        return new SoakExchange(server, partner, counters, random.nextLong(), 1 + random.nextInt(3), quota);
    }

    private SoakExchange connected(Random random) {
        SoakExchange exchange = exchange(random, Traffic.NO_QUOTA);
        exchange.begin(0);
        exchange.awaitConnected();
        return exchange;
    }

    private static Duration upTo(Random random, int most) {
        return Duration.ofMillis(random.nextInt(most));
    }

    private void talk(Random random) {
        try (SoakExchange exchange = connected(random)) {
            exchange.run(upTo(random, 1500));
            exchange.finish();
        }
    }

    private interface Moment {
        SoakExchange reach(Random random);
    }

    private SoakExchange whileMessagesFlow(Random random) {
        SoakExchange exchange = connected(random);
        exchange.run(upTo(random, random.nextBoolean() ? 5 : 500));
        return exchange;
    }

    private SoakExchange whileConnecting(Random random) {
        SoakExchange exchange = exchange(random, Traffic.NO_QUOTA);
        exchange.begin(0);
        exchange.run(upTo(random, 600));
        return exchange;
    }

    private SoakExchange whileIdle(Random random) {
        SoakExchange exchange = connected(random);
        exchange.group.stopPosting();
        new Deadline(SoakExchange.LONG, () -> "requests of the survivor do not complete: " + exchange.group)
                .await(exchange.group::isIdle);
        return exchange;
    }

    private void kill(Random random, Moment moment) throws IOException {
        try (SoakExchange exchange = moment.reach(random)) {
            kill(exchange.group::step);
            boolean noticed = setup.path() == SoakPath.SHARED_MEMORY;
            Supplier<String> what = () -> "the end of the partner goes unnoticed: " + exchange.group;
            Duration took = new Deadline(setup.path().longestDeath(), what).await(() -> exchange.group.isOver(noticed));
            counters.largest(SoakCounters.Count.LONGEST_DEATH_MS, took.toMillis());
            exchange.group.checkEnd();
        }
        start(random);
    }

    /// Kills the partner while the survivor sends as usual.
    private void kill(Runnable meanwhile) {
        inBackground(partner::kill, meanwhile);
        counters.add(SoakCounters.Count.KILLS, 1);
        partner.close();
    }

    private static void inBackground(Runnable signal, Runnable meanwhile) {
        Throwable[] failure = new Throwable[1];
        Thread thread = Thread.ofPlatform()
                .name("signal")
                .uncaughtExceptionHandler((_, e) -> failure[0] = e)
                .start(signal);
        while (thread.isAlive()) {
            meanwhile.run();
        }
        if (failure[0] != null) {
            throw SoakFailure.of("sending a signal", failure[0]);
        }
    }

    private void stop(Random random) {
        try (SoakExchange exchange = connected(random)) {
            for (int i = 0; i <= random.nextInt(3); i++) {
                exchange.run(upTo(random, 200));
                inBackground(partner::stop, exchange.group::step);
                exchange.run(upTo(random, random.nextInt(4) == 0 ? 1500 : 300));
                inBackground(partner::resume, exchange.group::step);
                counters.add(SoakCounters.Count.STOPS, 1);
            }
            exchange.run(upTo(random, 200));
            exchange.finish();
        }
    }

    /// Both sides must get clean errors, and be able to connect again afterwards.
    private void stopLong(Random random) {
        try (SoakExchange exchange = connected(random)) {
            exchange.run(upTo(random, 200));
            inBackground(partner::stop, exchange.group::step);
            counters.add(SoakCounters.Count.STOPS, 1);
            new Deadline(SoakExchange.LONG, () -> "requests to a stopped partner hang: " + exchange.group).await(() -> {
                exchange.group.step();
                return exchange.group.isOver(false);
            });
            exchange.group.checkEnd();
        } finally {
            partner.resume();
        }
        partner.await("broken", SoakExchange.LONG, () -> {});
        talk(random);
    }

    private SoakExchange churning(Random random, int count) {
        SoakExchange exchange = exchange(random, 1 + random.nextInt(8));
        partner.order(
                "churn %d %d %d %d".formatted(exchange.group.token(), random.nextInt(), count, exchange.group.quota()));
        return exchange;
    }

    private void churn(Random random) {
        try (SoakExchange exchange = churning(random, 5 + random.nextInt(30))) {
            String verified = partner.await("churned", Duration.ofSeconds(120), () -> exchange.group.serveQuotas(true));
            counters.add(SoakCounters.Count.VERIFIED, Long.parseLong(verified));
            new Deadline(SoakExchange.LONG, () -> "connections stay after both sides closed them: " + exchange.group)
                    .await(() -> {
                        exchange.group.serveQuotas(true);
                        return exchange.group.isEmpty();
                    });
        }
    }

    private void killChurn(Random random) throws IOException {
        try (SoakExchange exchange = churning(random, Integer.MAX_VALUE)) {
            long endNs = System.nanoTime() + upTo(random, 1500).toNanos();
            while (System.nanoTime() - endNs < 0) {
                exchange.group.serveQuotas(true);
            }
            kill(() -> exchange.group.serveQuotas(false));
            new Deadline(setup.path().longestDeath(), () -> "the end of the partner goes unnoticed: " + exchange.group)
                    .await(() -> {
                        exchange.group.serveQuotas(false);
                        return exchange.group.isOver(setup.path() == SoakPath.SHARED_MEMORY);
                    });
            exchange.group.checkEnd();
        }
        start(random);
    }

    /// Connections and traffic must work during a flood.
    private void flood(Random random) throws IOException {
        try (SoakExchange exchange = exchange(random, Traffic.NO_QUOTA);
                Flood _ = new Flood(
                        new Flood.Target(
                                setup.path(),
                                setup.address(),
                                partner.address(),
                                server.port(),
                                exchange.group::numbers,
                                setup.strangers()),
                        random.nextLong(),
                        counters)) {
            exchange.run(upTo(random, 200));
            exchange.begin(0);
            exchange.awaitConnected();
            exchange.run(upTo(random, 2000));
            exchange.finish();
        }
        new Deadline(SoakExchange.LONG, () -> server.strangers() + " accepted requests of nobody stay open")
                .await(() -> server.strangers() == 0);
    }

    @Override
    public void close() {
        partner.close();
    }
}
