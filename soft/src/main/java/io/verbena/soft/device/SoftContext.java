package io.verbena.soft.device;

import io.verbena.soft.cq.QueueContext;
import io.verbena.soft.cq.SoftAsyncEvents;
import io.verbena.soft.cq.SoftCompletionChannel;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Engines;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.shard.SharedAddress;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.soft.status.DeviceStatus;
import io.verbena.soft.status.ShardStatus;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.ResourceTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An open software device. Contexts of one device share its engines, which run while one is open.
public final class SoftContext implements QueueContext {
    private final SoftDevice device;
    private final Engines engines;
    private final ResourceTree children = new ResourceTree();
    private final SoftAsyncEvents asyncEvents;
    private volatile Runnable childListener = () -> {};
    /// Whether it is the connection manager's, which closes it.
    private volatile boolean wasHeld;

    private volatile boolean closed;

    SoftContext(SoftDevice device, Engines engines) {
        this.device = device;
        this.engines = engines;
        this.asyncEvents = new SoftAsyncEvents(this);
    }

    @Override
    public Engines engines() {
        return engines;
    }

    @Override
    public SoftDevice device() {
        return device;
    }

    @Override
    public DeviceAttributes attributes() {
        return device.attributes();
    }

    @Override
    public PortAttributes port(int port) {
        requirePort("query port", port);
        return device.port();
    }

    @Override
    public Gid gid(int port, int index) {
        requirePort("query GID", port);
        requireFirst("query GID", index);
        return device.gid();
    }

    @Override
    public List<GidEntry> gids(int port) {
        requirePort("query GID table", port);
        return List.of(new GidEntry(device.gid(), 0, port, GidType.ROCE_V2));
    }

    @Override
    public int partitionKey(int port, int index) {
        requirePort("query P_Key", port);
        requireFirst("query P_Key", index);
        return 0xFFFF;
    }

    @Override
    public Map<String, Long> counters() {
        return NamedCounters.of(engines);
    }

    @Override
    public Map<String, Availability> paths() {
        Map<String, Availability> paths = new LinkedHashMap<>();
        paths.put("UDP", Availability.AVAILABLE);
        paths.put("shared memory", device.sharedMemory());
        for (Engine engine : engines.all()) {
            if (engine.local() != null) {
                engine.local()
                        .unreachableNeighbours()
                        .forEach((gid, why) -> paths.put(
                                "shared memory with " + AddressText.of(gid.address()),
                                Availability.unavailable(why, "its connections go over UDP")));
            }
        }
        return paths;
    }

    @Override
    public Map<Integer, Long> shards() {
        SharedAddress shared = engines.first().wire().sharedAddress();
        return shared == null ? Map.of() : shared.holders();
    }

    private static void requirePort(String verb, int port) {
        if (port != 1) {
            throw new RdmaException(verb, Errno.EINVAL, "port " + port + "; a software device has port 1 only");
        }
    }

    private static void requireFirst(String verb, int index) {
        if (index != 0) {
            throw new RdmaException(verb, Errno.EINVAL, "index " + index + "; the table has one entry, index 0");
        }
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        String verb = "allocate protection domain";
        requireOpen(verb);
        device.protectionDomains().take(verb);
        SoftProtectionDomain domain = new SoftProtectionDomain(this);
        return keep(verb, domain, domain::close);
    }

    @Override
    public CompletionChannel createCompletionChannel() {
        String verb = "create completion channel";
        requireOpen(verb);
        SoftCompletionChannel channel = new SoftCompletionChannel(this);
        return keep(verb, channel, channel::close);
    }

    @Override
    public SoftCompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
        String verb = "create completion queue";
        requireOpen(verb);
        if (channel != null && (!(channel instanceof SoftCompletionChannel soft) || soft.context() != this)) {
            throw new RdmaException(verb, Errno.EINVAL, "the channel is of another context; make it from this one");
        }
        SoftCompletionQueue queue = new SoftCompletionQueue(this, entries, (SoftCompletionChannel) channel);
        return keep(verb, queue, queue::close);
    }

    private <T extends AutoCloseable> T keep(String verb, T child, Runnable close) {
        return children.keep(verb, "the context", child, close);
    }

    @Override
    public SoftAsyncEvents asyncEvents() {
        return asyncEvents;
    }

    private void requireOpen(String verb) {
        if (closed) {
            throw new RdmaException(verb, Errno.EBADF, "the context is closed");
        }
    }

    @Override
    public void forget(AutoCloseable child) {
        children.remove(child);
        onChildGone();
    }

    /// A child, or one of a domain, is closed.
    void onChildGone() {
        childListener.run();
    }

    /// The open objects of the context and its domains, and the context itself. For a context of the connection
    /// manager: the ids, and what programs made of it.
    public List<AutoCloseable> openObjects() {
        List<AutoCloseable> own = new ArrayList<>(children.snapshot());
        List<ContextHold> holds = own.stream()
                .filter(ContextHold.class::isInstance)
                .map(ContextHold.class::cast)
                .toList();
        List<AutoCloseable> open = new ArrayList<>();
        if (!wasHeld && !closed) {
            open.add(this);
        }
        holds.forEach(hold -> open.addAll(hold.users()));
        own.removeAll(holds);
        for (AutoCloseable child : own) {
            if (holds.stream().noneMatch(hold -> hold.owns(child))) {
                open.add(child);
            }
            if (child instanceof SoftProtectionDomain domain) {
                open.addAll(domain.openObjects());
            }
        }
        return open;
    }

    /// The queue pairs of this context.
    public List<SoftQueuePair> queuePairs() {
        List<SoftQueuePair> found = new ArrayList<>();
        for (AutoCloseable child : children.snapshot()) {
            if (child instanceof SoftProtectionDomain domain) {
                domain.addQueuePairs(found);
            }
        }
        return found;
    }

    /// The status of the device.
    ///
    /// @param connections the queue pairs of all its contexts
    public DeviceStatus status(List<ConnectionStatus> connections) {
        List<ShardStatus> shards = engines.all().stream()
                .map(engine -> new ShardStatus(engine.numbers().shard(), NamedCounters.of(engine)))
                .toList();
        Availability memory = device.sharedMemory();
        return new DeviceStatus(
                device.name(),
                device.port().state().toString(),
                memory.isAvailable() ? "" : memory.cause(),
                shards,
                connections);
    }

    /// For the connection manager: `user` keeps the context open as a child does.
    ///
    /// @param onChildGone runs in the thread that closed something made of this context; must not wait
    public void hold(AutoCloseable user, Runnable onChildGone) {
        wasHeld = true;
        children.add(user);
        childListener = onChildGone;
    }

    /// For the connection manager: the user no longer keeps the context open.
    public void removeUser(AutoCloseable user) {
        children.remove(user);
    }

    /// A second call returns when the first has finished.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        children.seal("close context of " + device.name());
        closed = true;
        asyncEvents.close();
        device.release(this);
    }

    /// Closes the children of domains first, because queue pairs keep completion queues open, which may be younger than
    /// the domain. Queue pairs come before all, because they keep shared receive queues of other domains open.
    @Override
    public void closeAll() {
        for (AutoCloseable child : children.snapshot()) {
            if (child instanceof SoftProtectionDomain domain) {
                domain.closeQueuePairs();
            }
        }
        for (AutoCloseable child : children.snapshot().reversed()) {
            if (child instanceof SoftProtectionDomain domain) {
                domain.closeAll();
            }
        }
        children.closeAll();
        close();
    }

    @Override
    public String toString() {
        return "context of " + device.name();
    }
}
