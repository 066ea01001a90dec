package io.verbena.bench.soak;

import java.time.Duration;

/// Connections of the survivor to a partner that is never killed or stopped. They must live, whatever happens to
/// others.
final class SteadyConnections implements AutoCloseable {
    private static final long PAUSE_US = 3000;
    private static final Duration STEP = Duration.ofMillis(20);

    private final PartnerProcess partner;
    private final SoakExchange exchange;
    private final Thread thread;
    private volatile Throwable failure;
    private volatile boolean ending;

    SteadyConnections(SoakServer server, PartnerProcess partner, SoakCounters counters, long seed) {
        this.partner = partner;
        exchange = new SoakExchange(server, partner, counters, seed, 2, Traffic.NO_QUOTA);
        thread = Thread.ofPlatform().daemon().name("steady").start(this::run);
    }

    private void run() {
        try (exchange) {
            exchange.begin(PAUSE_US);
            exchange.awaitConnected();
            while (!ending) {
                exchange.group.step();
                exchange.requireLive();
                Thread.sleep(STEP);
            }
            exchange.finish();
        } catch (Throwable e) { // any error must be reported to the survivor
            failure = e;
        }
    }

    void check() {
        if (failure != null) {
            throw SoakFailure.of("the steady connections", failure);
        }
    }

    /// Ends the traffic, and checks that no message is missing.
    void finish() throws InterruptedException {
        ending = true;
        thread.join();
        check();
    }

    @Override
    public void close() {
        partner.close();
    }
}
