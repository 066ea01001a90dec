package io.verbena.sockets;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A selector for channels over RDMA and for those of the JDK.
///
/// A channel over RDMA puts its keys into a queue when something happens. A selection looks at the keys in the queue,
/// and at those that were ready before, whatever the number of keys. Channels of the JDK are registered with a selector
/// of the JDK inside.
final class RdmaSelector extends AbstractSelector {
    private static final long FOR_EVER_NS = TimeUnit.DAYS.toNanos(365);

    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final Set<SelectionKey> selected = new HashSet<>();
    private final Set<SelectionKey> publicSelected = new SelectedKeys(selected);

    private final ReentrantLock selecting = new ReentrantLock();
    private final ConcurrentLinkedQueue<RdmaSelectionKey> queue = new ConcurrentLinkedQueue<>();
    private final SelectorSleep sleep = new SelectorSleep(this);

    /// Keys that were ready when they were last looked at.
    private final List<RdmaSelectionKey> candidates = new ArrayList<>();

    private volatile boolean isWoken;

    RdmaSelector(SelectorProvider provider) {
        super(provider);
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return publicSelected;
    }

    // ---- registering ----

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        requireOpen();
        SelectableSource<?> source = switch (channel) {
            case RdmaSocketChannel stream -> stream.connection();
            case RdmaServerSocketChannel server -> server.listening();
            default -> null;
        };
        if (source == null && !JdkProvider.isOfJdk(channel)) {
            throw new IllegalSelectorException();
        }
        RdmaSelectionKey key = new RdmaSelectionKey(this, channel, source);
        key.attach(attachment);
        keys.add(key);
        if (source != null) {
            source.keys().add(key);
        }
        try {
            key.interestOps(ops);
        } catch (IllegalArgumentException e) {
            forget(key);
            throw e;
        }
        key.enqueue();
        if (!isOpen()) {
            forget(key);
            throw new ClosedSelectorException();
        }
        sleep.signalForNewKey();
        return key;
    }

    private void forget(RdmaSelectionKey key) {
        keys.remove(key);
        if (key.source() != null) {
            key.source().keys().remove(key);
        }
    }

    /// From any thread.
    void enqueue(RdmaSelectionKey key) {
        queue.add(key);
    }

    /// From any thread: a thread that sleeps looks at the queue.
    void signal() {
        sleep.signal();
    }

    boolean hasQueued() {
        return !queue.isEmpty();
    }

    boolean isWoken() {
        return isWoken;
    }

    // ---- selecting ----

    @Override
    public int selectNow() throws IOException {
        return select(0, false);
    }

    @Override
    public int select() throws IOException {
        return select(FOR_EVER_NS, true);
    }

    @Override
    public int select(long timeoutMs) throws IOException {
        if (timeoutMs < 0) {
            throw new IllegalArgumentException("the timeout is " + timeoutMs);
        }
        return select(
                timeoutMs == 0 ? FOR_EVER_NS : Math.min(TimeUnit.MILLISECONDS.toNanos(timeoutMs), FOR_EVER_NS), true);
    }

    private int select(long timeoutNs, boolean mayWait) throws IOException {
        selecting.lock();
        try {
            requireOpen();
            deregisterCancelled();
            int n = mayWait ? selectWaiting(timeoutNs) : selectOnce();
            if (!mayWait) {
                isWoken = false;
            }
            deregisterCancelled();
            return n;
        } finally {
            selecting.unlock();
        }
    }

    private int selectOnce() throws IOException {
        sleep.poll();
        return Math.max(0, collect());
    }

    private int selectWaiting(long timeoutNs) throws IOException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        begin();
        try {
            while (true) {
                int n = collect();
                if (n >= 0 || isWoken || !isOpen() || Thread.currentThread().isInterrupted()) {
                    isWoken = false;
                    return Math.max(0, n);
                }
                if (deadlineNs - System.nanoTime() <= 0) {
                    return 0;
                }
                sleep.sleep(deadlineNs);
            }
        } finally {
            end();
        }
    }

    /// Looks at the keys that may be ready. Returns how many of them are newly selected or have new operations, or -1
    /// when no key is ready.
    private int collect() throws IOException {
        for (RdmaSelectionKey key = queue.poll(); key != null; key = queue.poll()) {
            key.dequeued();
            if (key.isValid()) {
                sleep.attach(key);
                addCandidate(key);
            }
        }
        sleep.selectJdk();
        int changed = 0;
        boolean isAnyReady = false;
        synchronized (publicSelected) {
            int kept = 0;
            for (RdmaSelectionKey key : candidates) {
                int ready = key.isValid() ? key.readyNow() : 0;
                key.jdkReady = 0;
                if (ready == 0) {
                    key.isCandidate = false;
                    continue;
                }
                isAnyReady = true;
                candidates.set(kept++, key);
                changed += update(key, ready) ? 1 : 0;
            }
            candidates.subList(kept, candidates.size()).clear();
        }
        return isAnyReady ? changed : -1;
    }

    private boolean update(RdmaSelectionKey key, int ready) {
        if (selected.add(key)) {
            key.ready(ready);
            return true;
        }
        int before = key.ready();
        key.ready(before | ready);
        return (ready & ~before) != 0;
    }

    void addCandidate(RdmaSelectionKey key) {
        if (!key.isCandidate) {
            key.isCandidate = true;
            candidates.add(key);
        }
    }

    // ---- ending ----

    private void deregisterCancelled() throws IOException {
        Set<SelectionKey> cancelled = cancelledKeys();
        boolean any = false;
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) {
                deregisterKey((RdmaSelectionKey) key);
                any = true;
            }
            cancelled.clear();
        }
        if (any) {
            sleep.flushJdk();
        }
    }

    private void deregisterKey(RdmaSelectionKey key) {
        forget(key);
        synchronized (publicSelected) {
            selected.remove(key);
        }
        sleep.detach(key);
        deregister(key);
    }

    @Override
    public Selector wakeup() {
        if (!isWoken) {
            isWoken = true;
            sleep.signal();
        }
        return this;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        selecting.lock();
        try {
            for (SelectionKey key : keys) {
                RdmaSelectionKey ours = (RdmaSelectionKey) key;
                ours.cancel();
                deregisterKey(ours);
            }
            cancelledKeys().clear();
            sleep.close();
        } finally {
            selecting.unlock();
        }
    }
}
