package io.verbena.bench.soak;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The survivor's listener. It adds the connections of partners to the [ConnectionGroup] whose token they send;
/// strangers are accepted, rejected or ignored in turn.
final class SoakServer implements AutoCloseable {
    private static final Duration EVENT_POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration STRANGER_PATIENCE = Duration.ofSeconds(1);
    private static final int MOST_STRANGERS = 64;

    private final EventChannel channel;
    private final ConnectionId listener;
    private final CompletionQueue strangerQueue;
    private final SoakCounters counters;
    private final Map<Long, ConnectionGroup> groups = new ConcurrentHashMap<>();
    private final Set<ConnectionId> strangers = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private volatile Throwable failure;
    private volatile boolean ended;

    SoakServer(String address, SoakCounters counters) {
        this.counters = counters;
        channel = Rdma.connectionManager().createEventChannel();
        listener = Rdma.connectionManager().createId(channel, PortSpace.TCP);
        listener.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
        listener.listen(0);
        strangerQueue = listener.context().createCompletionQueue(16);
        thread = Thread.ofPlatform().daemon().name("server").start(this::run);
    }

    int port() {
        return listener.localAddress().getPort();
    }

    Context context() {
        return listener.context();
    }

    ProtectionDomain domain() {
        return listener.protectionDomain();
    }

    void expect(ConnectionGroup group) {
        groups.put(group.token(), group);
    }

    void forget(ConnectionGroup group) {
        groups.remove(group.token());
    }

    int strangers() {
        return strangers.size();
    }

    /// Throws when the thread that takes events has failed.
    void check() {
        if (failure != null) {
            throw SoakFailure.of("taking connection events", failure);
        }
    }

    private void run() {
        try {
            while (!ended) {
                CmEvent event = channel.await(EVENT_POLL_INTERVAL);
                if (event != null) {
                    onEvent(event);
                }
            }
        } catch (Throwable e) { // any error must be reported to the turn
            failure = e;
        }
    }

    private void onEvent(CmEvent event) {
        ConnectionId id = event.id();
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                PrivateData privateData = PrivateData.decode(event.privateData());
                ConnectionGroup group = groups.get(privateData.token());
                if (group == null) {
                    onStranger(id);
                } else {
                    group.admit(id, privateData);
                }
            }
            case ESTABLISHED, TIMEWAIT_EXIT -> forwardEvent(event);
            default -> {
                if (strangers.remove(id)) {
                    id.close();
                } else {
                    forwardEvent(event);
                }
            }
        }
    }

    private static void forwardEvent(CmEvent event) {
        if (event.id().attachment() instanceof SurvivorConnection connection) {
            connection.onEvent(event);
        }
    }

    private void onStranger(ConnectionId id) {
        counters.add(SoakCounters.Count.STRANGERS, 1);
        try {
            switch ((int) (counters.get(SoakCounters.Count.STRANGERS) % 4)) {
                case 0 -> id.close();
                case 1 -> accept(id);
                default -> {
                    id.reject(new byte[0]);
                    id.close();
                }
            }
        } catch (RdmaException e) {
            strangers.remove(id);
            id.close(); // the forged request was invalid
        }
    }

    /// The accept is never confirmed, so it fails after a while.
    private void accept(ConnectionId id) {
        if (strangers.size() >= MOST_STRANGERS) {
            id.close();
            return;
        }
        id.timeout(STRANGER_PATIENCE);
        id.createQueuePair(listener.protectionDomain(), QueuePairOptions.rc(strangerQueue));
        strangers.add(id);
        id.accept(ConnectionParameters.DEFAULT);
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        strangers.forEach(ConnectionId::close);
        strangerQueue.close();
        listener.close();
        channel.close();
    }
}
