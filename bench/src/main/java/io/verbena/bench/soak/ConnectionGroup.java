package io.verbena.bench.soak;

import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/// The survivor's connections of one turn. The thread of the [SoakServer] adds them, the thread of the turn does the
/// rest.
final class ConnectionGroup implements AutoCloseable {
    /// Timeout of connections with a peer that may be dead.
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ProtectionDomain domain;
    private final SoakCounters counters;
    private final long token;
    private final long quota;
    private final List<SurvivorConnection> connections = new CopyOnWriteArrayList<>();
    private volatile String refusal = "";
    private boolean closed;
    private long counted;
    private long verifiedByClosed;

    ConnectionGroup(ProtectionDomain domain, SoakCounters counters, long token, long quota) {
        this.domain = domain;
        this.counters = counters;
        this.token = token;
        this.quota = quota;
    }

    long token() {
        return token;
    }

    /// Accepts a connection request of the partner.
    synchronized void admit(ConnectionId id, PrivateData privateData) {
        if (closed) {
            id.close();
            return;
        }
        id.timeout(PATIENCE);
        Traffic traffic =
                new Traffic(id, domain, token, privateData.index(), KnownBytes.mix(privateData.seed()), quota, 0);
        traffic.peer(privateData);
        SurvivorConnection connection = new SurvivorConnection(traffic);
        id.attachment(connection);
        try {
            id.accept(ConnectionParameters.DEFAULT.withPrivateData(
                    traffic.privateData().encode()));
            connections.add(connection);
            counters.add(SoakCounters.Count.CONNECTS, 1);
        } catch (RdmaException e) {
            refusal = "; accept: " + e.getMessage(); // the peer may have died meanwhile; if not, it tries again
            connection.close();
        }
    }

    void step() {
        connections.forEach(SurvivorConnection::step);
        count();
    }

    private void count() {
        long verified = verifiedByClosed
                + connections.stream()
                        .mapToLong(connection -> connection.traffic.verified())
                        .sum();
        counters.add(SoakCounters.Count.VERIFIED, verified - counted);
        counted = verified;
    }

    void stopPosting() {
        connections.forEach(connection -> connection.traffic.stopPosting());
    }

    boolean isIdle() {
        step();
        return connections.stream().allMatch(connection -> connection.traffic.isIdle());
    }

    boolean isOver(boolean noticed) {
        boolean over = true;
        for (SurvivorConnection connection : connections) {
            over &= connection.isOver(noticed);
        }
        count();
        return over;
    }

    void checkEnd() {
        connections.forEach(SurvivorConnection::checkEnd);
    }

    boolean areEstablished(int count) {
        step();
        return live().size() >= count;
    }

    private List<SurvivorConnection> live() {
        return connections.stream().filter(SurvivorConnection::isLive).toList();
    }

    /// Throws unless all connections live.
    void requireLive(int count) {
        if (live().size() != count) {
            throw new SoakFailure("a connection to a peer that lives broke: " + this);
        }
    }

    /// Number of messages that this side sent on each connection, in the order of their index.
    String sent() {
        return live().stream()
                .sorted((a, b) -> Integer.compare(
                        a.traffic.privateData().index(), b.traffic.privateData().index()))
                .map(connection -> Long.toString(connection.traffic.sent()))
                .collect(Collectors.joining(","));
    }

    /// Whether all messages of the peer have arrived; `sent` is [#sent] of the peer.
    boolean hasReceived(String sent) {
        step();
        String[] counts = sent.split(",");
        return live().stream()
                .allMatch(connection -> connection.traffic.received()
                        == Long.parseLong(
                                counts[connection.traffic.privateData().index()]));
    }

    void checkGuards() {
        connections.forEach(connection -> connection.traffic.checkGuards());
    }

    /// Connections with a quota: those with an even index disconnect when it is used up. Closes those that have ended.
    ///
    /// @param sound whether the peer lives, so that no message may be missing
    void serveQuotas(boolean sound) {
        step();
        for (SurvivorConnection connection : connections) {
            if (connection.hasEnded()) {
                while (connection.traffic.poll() > 0) {}
                if (sound && connection.isEstablished()) {
                    connection.checkDisconnected();
                }
                remove(connection);
            } else if (isOurs(connection.traffic.privateData().index())
                    && connection.isLive()
                    && connection.traffic.isDone()) {
                connection.traffic.id().disconnect();
            }
        }
    }

    /// Whether this side disconnects.
    static boolean isOurs(int index) {
        return index % 2 == 0;
    }

    private void remove(SurvivorConnection connection) {
        count();
        verifiedByClosed += connection.traffic.verified();
        connections.remove(connection);
        connection.close();
    }

    boolean isEmpty() {
        return connections.isEmpty();
    }

    long quota() {
        return quota;
    }

    List<Integer> numbers() {
        return connections.stream()
                .map(connection -> connection.traffic.number())
                .toList();
    }

    @Override
    public String toString() {
        return connections + refusal;
    }

    @Override
    public synchronized void close() {
        closed = true;
        connections.forEach(this::remove);
    }
}
