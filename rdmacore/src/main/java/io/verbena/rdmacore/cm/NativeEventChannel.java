package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.event.NativeEventSource;
import io.verbena.rdmacore.event.Signal;
import io.verbena.rdmacore.layout.RdmaEventChannel;
import io.verbena.rdmacore.lib.DescriptorSet;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.EventChannel;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// The event channel of a program. Events that the [EventService] took wait in a queue, events of listeners in the
/// kernel.
final class NativeEventChannel extends NativeEventSource<CmEvent> implements EventChannel {
    private static final AtomicLong NUMBERS = new AtomicLong();

    /// The order in which two channels are locked.
    final long number = NUMBERS.incrementAndGet();

    private final ReentrantLock lock = new ReentrantLock();
    private final Signal signal;
    private final DescriptorSet descriptors;
    private final Queue<CmEvent> queue = new ArrayDeque<>();
    private final Set<IdState> ids = new LinkedHashSet<>();
    private final Map<Long, IdState> listeners = new HashMap<>();
    /// The channel of librdmacm for listeners; 0 before the first.
    private long listenChannel;

    private boolean closed;

    private NativeEventChannel(Signal signal, DescriptorSet descriptors) {
        super("rdma_get_cm_event", descriptors.fd());
        this.signal = signal;
        this.descriptors = descriptors;
    }

    /// Leaves nothing open when the process has no descriptor left for it.
    static NativeEventChannel open() {
        Signal signal = new Signal();
        DescriptorSet descriptors = null;
        try {
            descriptors = new DescriptorSet(signal.fd());
            return new NativeEventChannel(signal, descriptors);
        } catch (RdmaException noDescriptor) {
            if (descriptors != null) {
                descriptors.close();
            }
            signal.close();
            throw noDescriptor;
        }
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /// All methods from here on need the lock.
    void add(IdState id) {
        if (closed) {
            throw new RdmaException("rdma_create_id", Errno.EBADF, "the event channel is closed");
        }
        ids.add(id);
    }

    /// An id is being closed or moved; removes its events and returns them.
    List<CmEvent> remove(IdState id) {
        ids.remove(id);
        List<CmEvent> its = queue.stream().filter(event -> event.id() == id.id).toList();
        queue.removeAll(its);
        if (queue.isEmpty()) {
            signal.clear();
        }
        return its;
    }

    void put(CmEvent event) {
        queue.add(event);
        signal.raise();
    }

    /// The channel of librdmacm for listeners.
    long listenChannel() {
        if (listenChannel == 0) {
            long made = ServiceThread.openChannel();
            try {
                descriptors.add(RdmaEventChannel.FD.get(made));
            } catch (RuntimeException e) {
                Rdmacm.LIB.destroyEventChannel(made);
                throw e;
            }
            listenChannel = made;
        }
        return listenChannel;
    }

    void addListener(long address, IdState id) {
        listeners.put(address, id);
    }

    /// The ids of requests to a listener that wait here. They are taken from the kernel, which would forget them when
    /// it moves the listener to another channel.
    List<IdState> takeRequests(NativeConnectionId listener) {
        if (listenChannel != 0) {
            for (CmEvent event = takeFromKernel(); event != null; event = takeFromKernel()) {
                put(event);
            }
        }
        return queue.stream()
                .filter(event -> event.listener() == listener)
                .map(event -> ((NativeConnectionId) event.id()).state)
                .toList();
    }

    void removeListener(long address) {
        listeners.remove(address);
    }

    /// Without the lock.
    @Override
    protected CmEvent take() {
        lock.lock();
        try {
            CmEvent first = queue.poll();
            if (first == null) {
                return listenChannel == 0 ? null : takeFromKernel();
            }
            if (queue.isEmpty()) {
                signal.clear();
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    private CmEvent takeFromKernel() {
        try (Arena arena = Arena.ofConfined()) {
            long result = arena.allocate(Long.BYTES, Long.BYTES).address();
            while (true) {
                int failed = Rdmacm.LIB.getEvent(listenChannel, result);
                if (failed == -Libc.EAGAIN || failed == -Libc.EINTR) {
                    return null;
                }
                if (failed < 0) {
                    throw Failures.of(Subject.CONNECTION, "rdma_get_cm_event", failed);
                }
                EventData data = EventData.take(Memory.getLong(result));
                IdState listener = listeners.get(data.listener() != 0 ? data.listener() : data.id());
                CmEvent taken = onListenerEvent(listener, data);
                if (taken != null) {
                    return taken;
                }
            }
        }
    }

    private static CmEvent onListenerEvent(IdState listener, EventData data) {
        if (data.listener() == 0) {
            return listener == null ? null : listener.events.onEvent(data);
        }
        if (listener == null) {
            Rdmacm.LIB.destroyId(data.id()); // no other code will close it
            return null;
        }
        return listener.events.onRequest(data);
    }

    /// Without the lock.
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (!ids.isEmpty()) {
                throw new RdmaException(
                        "rdma_destroy_event_channel",
                        Errno.EBUSY,
                        "ids use the channel: " + ids + "; close these first");
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        shut();
        descriptors.close();
        signal.close();
        if (listenChannel != 0) {
            Rdmacm.LIB.destroyEventChannel(listenChannel);
        }
    }

    @Override
    public String toString() {
        return "event channel " + number;
    }
}
