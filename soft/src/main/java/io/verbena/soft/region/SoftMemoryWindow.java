package io.verbena.soft.region;

import io.verbena.soft.engine.Engines;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.mem.BindableWindow;
import io.verbena.soft.mem.KeySlot;
import io.verbena.soft.mem.MemoryTable;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.MemoryWindowType;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// A memory window of the software device. Type 1 is open to all queue pairs of its domain, type 2 to the one it was
/// bound on.
public final class SoftMemoryWindow implements BindableWindow {
    private final RegionDomain domain;
    private final MemoryWindowType type;
    private final Engines engines;
    private final MemoryTable table;
    /// The window's entry in the device's table.
    private final KeySlot slot = new KeySlot(this);
    /// The key of the bind that was posted last, which programs see; the table may not have it yet.
    private final AtomicInteger rkey = new AtomicInteger();

    private volatile boolean closed;

    public SoftMemoryWindow(RegionDomain domain, MemoryWindowType type) {
        this.domain = domain;
        this.type = type;
        this.engines = domain.context().engines();
        this.table = engines.first().memory();
        if (!table.add(slot)) {
            throw new RdmaException(
                    "allocate memory window",
                    Errno.ENOMEM,
                    "the device has " + SoftLimits.MAX_MEMORY_WINDOWS
                            + " memory windows already, its limit; close some");
        }
        rkey.set(slot.key().value());
    }

    @Override
    public RegionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemoryWindowType type() {
        return type;
    }

    @Override
    public int rkey() {
        return rkey.get();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void onBindPosted(int newKey) {
        rkey.set(newKey);
    }

    @Override
    public void onBindFailed(int failedKey, int key) {
        rkey.compareAndSet(failedKey, key);
    }

    @Override
    public synchronized boolean bind(QueuePair qp, long wrId, MemoryWindowBind bind) {
        String verb = "bind memory window 0x%x".formatted(rkey());
        if (type != MemoryWindowType.TYPE_1) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "it is of type 2; post a request with SendRequest.bindMemoryWindow");
        }
        Objects.requireNonNull(qp, "the queue pair is null");
        Objects.requireNonNull(bind, "the bind is null");
        if (!(qp instanceof SoftQueuePair own)) {
            throw new RdmaException(verb, Errno.EINVAL, "the queue pair is of another provider");
        }
        requireRegion(verb, bind.region());
        return own.bind(this, Keys.increment(rkey()), wrId, bind);
    }

    /// A region must be named even to unbind, as on other devices.
    private void requireRegion(String verb, MemoryRegion region) {
        if (!(region instanceof SoftMemoryRegion own)) {
            throw new RdmaException(verb, Errno.EINVAL, "name a memory region of the same device, even to unbind");
        }
        if (own.protectionDomain() != domain) {
            throw new RdmaException(verb, Errno.EPERM, "window and memory region are of different protection domains");
        }
    }

    /// Also while it is bound: its key opens nothing any more once this returns.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        table.remove(slot);
        engines.awaitCopies();
        domain.forget(this);
    }

    @Override
    public String toString() {
        return "memory window 0x%x (%s)".formatted(rkey(), type);
    }
}
