package io.verbena.sockets;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Poller;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// What a [Hub] has of the device at its address: a completion queue and an event channel for all its connections. One
/// thread at a time, the *owner*, takes what is there, and tells the connections.
final class HubDevice {
    private static final int BATCH = 32;

    private final ConnectionManager manager;
    private final EventChannel events;
    private final ConnectionId holder;
    private final CompletionChannel channel;
    private final CompletionQueue cq;
    private final HubStreams streams;
    private final WorkCompletionHandler onCompletion = this::dispatch;
    private final ReentrantLock owner = new ReentrantLock();

    /// @throws RdmaException when no device serves the address
    HubDevice(InetAddress address) {
        manager = Rdma.connectionManager();
        events = manager.createEventChannel();
        ConnectionId opened = null;
        try {
            opened = createId();
            opened.bind(new InetSocketAddress(address, 0));
            if (opened.context() == null) { // the kernel lets ids have such an address
                throw new RdmaException("open " + address, Errno.ENODEV, "no device serves that address");
            }
            channel = opened.context().createCompletionChannel();
            cq = opened.context().createCompletionQueue(HubStreams.FIRST_COMPLETIONS, channel);
        } catch (RuntimeException e) {
            if (opened != null) {
                opened.close();
            }
            events.close();
            throw e;
        }
        holder = opened;
        streams = new HubStreams(cq, holder.context().attributes().maxCompletionEntries());
    }

    ProtectionDomain protectionDomain() {
        return holder.protectionDomain();
    }

    int mostWorkRequests() {
        return holder.context().attributes().maxWorkRequests();
    }

    /// Those that are not 0.
    Map<String, Long> counters() {
        Map<String, Long> counters = new TreeMap<>(holder.context().counters());
        counters.values().removeIf(value -> value == 0);
        return counters;
    }

    CompletionQueue completionQueue() {
        return cq;
    }

    HubStreams streams() {
        return streams;
    }

    /// An id whose events come here.
    ConnectionId createId() {
        return manager.createId(events, PortSpace.TCP);
    }

    /// For a thread that sleeps until something comes.
    Poller newPoller() {
        return Poller.of(channel, events);
    }

    /// Takes the event that a completion has fired.
    void takeFired() {
        if (channel.isReady()) {
            channel.tryTake();
        }
    }

    // ---- what the owner does ----

    private void dispatch(WorkCompletion completion) {
        RdmaStream stream = streams.find(completion.wrId(), completion.qpNumber());
        if (stream != null) {
            stream.onCompletion(completion);
        }
    }

    private void drain() {
        boolean more = true;
        while (more) {
            more = cq.poll(onCompletion, BATCH) == BATCH;
        }
    }

    private void takeEvents() {
        while (events.isReady()) {
            CmEvent event = events.tryTake();
            if (event == null) {
                return;
            }
            if (event.type() == CmEventType.DISCONNECTED) {
                drain(); // the peer sent this after its last bytes
            }
            Object target = event.listener() != null
                    ? event.listener().attachment()
                    : event.id().attachment();
            if (target instanceof CmHandler handler) {
                handler.onCmEvent(event);
            }
        }
    }

    /// Takes some of what is there, unless another thread does so.
    ///
    /// @param withEvents whether to look for events of the connection manager when no completion is there
    void tryPoll(boolean withEvents) {
        if (owner.tryLock()) {
            try {
                int n = cq.poll(onCompletion, BATCH);
                if (n == 0 && withEvents) {
                    takeEvents();
                }
            } finally {
                owner.unlock();
            }
        }
    }

    /// Takes all completions and events that are there, unless another thread takes something.
    void tryPollAll() {
        if (owner.tryLock()) {
            try {
                drain();
                takeEvents();
            } finally {
                owner.unlock();
            }
        }
    }

    /// Takes all completions and events that are there.
    ///
    /// @param arm whether the next completion is to fire an event
    void pollAll(boolean arm) {
        owner.lock();
        try {
            if (arm) {
                cq.arm();
            }
            drain();
            takeEvents();
        } finally {
            owner.unlock();
        }
    }
}
