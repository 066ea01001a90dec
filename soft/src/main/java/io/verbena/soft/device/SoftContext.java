package io.verbena.soft.device;

import io.verbena.soft.cq.QueueContext;
import io.verbena.soft.cq.SoftAsyncEvents;
import io.verbena.soft.cq.SoftCompletionChannel;
import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.AddressText;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// An open software device. Contexts of one device share its engine, which runs while one is open.
public final class SoftContext implements QueueContext {
    private final SoftDevice device;
    private final Engine engine;
    private final ResourceTree children = new ResourceTree();
    private final SoftAsyncEvents asyncEvents;
    private volatile Runnable childListener = () -> {};
    private volatile boolean closed;

    SoftContext(SoftDevice device, Engine engine) {
        this.device = device;
        this.engine = engine;
        this.asyncEvents = new SoftAsyncEvents(this);
    }

    @Override
    public Engine engine() {
        return engine;
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
        Map<String, Long> named = new TreeMap<>();
        engine.counters().snapshot().forEach((counter, value) -> named.put(counter.label(), value));
        if (engine.driver().sleeps() > 0) {
            named.put("times a waiting thread slept", engine.driver().sleeps());
        }
        if (engine.wire().sendFailures() > 0) {
            named.put("packets the network refused", engine.wire().sendFailures());
        }
        return named;
    }

    @Override
    public Map<String, Availability> paths() {
        Map<String, Availability> paths = new LinkedHashMap<>();
        paths.put("UDP", Availability.AVAILABLE);
        paths.put("shared memory", device.sharedMemory());
        if (engine.local() != null) {
            engine.local()
                    .obstacles()
                    .forEach((gid, why) -> paths.put(
                            "shared memory with " + AddressText.of(gid.address()),
                            Availability.unavailable(why, "its connections go over UDP")));
        }
        return paths;
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

    /// For the connection manager: `user` keeps the context open as a child does.
    ///
    /// @param onChildGone runs in the thread that closed something made of this context; must not wait
    public void hold(AutoCloseable user, Runnable onChildGone) {
        children.add(user);
        childListener = onChildGone;
    }

    /// For the connection manager: the user has no objection any more.
    public void letGo(AutoCloseable user) {
        children.remove(user);
    }

    /// Whoever closes second returns when the first one is through.
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

    /// What domains hold goes first, because queue pairs keep completion queues open, which may be younger than the
    /// domain; and queue pairs before all, because they keep shared receive queues of other domains open.
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
