package io.verbena.bench.soak;

import java.time.Duration;

/// Traffic between the survivor and one partner, from connecting to closing. Every step has a deadline.
final class SoakExchange implements AutoCloseable {
    /// Deadline for a step that takes milliseconds on an idle machine, and retransmissions on a lossy network.
    static final Duration LONG = Duration.ofSeconds(60);

    private final SoakServer server;
    private final PartnerProcess partner;
    private final SoakCounters counters;
    private final int count;
    final ConnectionGroup group;

    /// @param count connections
    SoakExchange(SoakServer server, PartnerProcess partner, SoakCounters counters, long seed, int count, long quota) {
        this.server = server;
        this.partner = partner;
        this.counters = counters;
        this.count = count;
        group = new ConnectionGroup(server.domain(), counters, seed, quota);
        server.expect(group);
    }

    /// Orders the partner to connect, and does not wait for it.
    void begin(long pauseUs) {
        partner.order("talk %d %d %d %d".formatted(group.token(), group.token() >>> 1, count, pauseUs));
    }

    void awaitConnected() {
        counters.add(SoakCounters.Count.RETRIES, Long.parseLong(partner.await("connected", LONG, group::step)));
        new Deadline(LONG, () -> "the survivor has not all connections that the partner has: " + group)
                .await(() -> group.areEstablished(count));
    }

    void run(Duration time) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < time.toNanos()) {
            group.step();
        }
        server.check();
    }

    void requireLive() {
        server.check();
        group.requireLive(count);
    }

    /// Lets all requests in flight complete on both sides, so that nothing is lost.
    void finish() {
        requireLive();
        group.stopPosting();
        new Deadline(LONG, () -> "requests of the survivor do not complete: " + group).await(group::isIdle);
        requireLive();
        partner.order("finish " + group.sent());
        String[] answer = partner.await("finished", LONG, group::step).split(" ");
        counters.add(SoakCounters.Count.VERIFIED, Long.parseLong(answer[0]));
        new Deadline(LONG, () -> "the survivor has not got the messages " + answer[1] + ": " + group)
                .await(() -> group.hasReceived(answer[1]));
        requireLive();
        group.checkGuards();
        partner.order("close");
        partner.await("closed", LONG, group::step);
    }

    @Override
    public void close() {
        server.forget(group);
        group.close();
    }
}
