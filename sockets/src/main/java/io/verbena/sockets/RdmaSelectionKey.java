package io.verbena.sockets;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectionKey;

/// A channel's registration with an [RdmaSelector].
final class RdmaSelectionKey extends AbstractSelectionKey implements ReadyListener {
    private static final VarHandle INTEREST;
    private static final VarHandle QUEUED;

    static {
        try {
            INTEREST = MethodHandles.lookup().findVarHandle(RdmaSelectionKey.class, "interestOps", int.class);
            QUEUED = MethodHandles.lookup().findVarHandle(RdmaSelectionKey.class, "isQueued", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RdmaSelector selector;
    private final SelectableChannel channel;

    /// Null for a channel of the JDK.
    private final SelectableSource<?> source;

    private volatile int interestOps;
    private volatile int readyOps;

    /// Whether the selector is going to look at it.
    private volatile boolean isQueued;

    /// The key of the JDK's channel in the selector's inner selector.
    private volatile SelectionKey jdkKey;

    // ---- of the selecting thread ----

    /// Whether it was ready when the selector looked last.
    boolean isCandidate;

    /// What the JDK's selector said.
    int jdkReady;

    boolean isTransportKnown;

    RdmaSelectionKey(RdmaSelector selector, SelectableChannel channel, SelectableSource<?> source) {
        this.selector = selector;
        this.channel = channel;
        this.source = source;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public RdmaSelector selector() {
        return selector;
    }

    SelectableSource<?> source() {
        return source;
    }

    SelectionKey jdkKey() {
        return jdkKey;
    }

    /// The operations may have changed since the JDK's key was made.
    void jdkKey(SelectionKey key) {
        jdkKey = key;
        tellJdk();
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interestOps;
    }

    /// Also of a cancelled key.
    int interest() {
        return interestOps;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        requireSupported(ops);
        INTEREST.setVolatile(this, ops);
        onInterestChanged();
        return this;
    }

    @Override
    public int interestOpsOr(int ops) {
        requireValid();
        requireSupported(ops);
        int before = (int) INTEREST.getAndBitwiseOr(this, ops);
        onInterestChanged();
        return before;
    }

    @Override
    public int interestOpsAnd(int ops) {
        requireValid();
        int before = (int) INTEREST.getAndBitwiseAnd(this, ops);
        onInterestChanged();
        return before;
    }

    private void requireSupported(int ops) {
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException(
                    "operations %d, where the channel has %d".formatted(ops, channel.validOps()));
        }
    }

    private void onInterestChanged() {
        tellJdk();
        if (interestOps != 0) {
            enqueue();
        }
    }

    /// One thread at a time, each with the latest operations: so those that it tells last are the latest.
    private synchronized void tellJdk() {
        SelectionKey jdk = jdkKey;
        if (jdk != null && jdk.isValid()) {
            try {
                jdk.interestOps(interestOps);
            } catch (CancelledKeyException cancelledMeanwhile) {
                // The channel was closed. Then this key is cancelled, too.
            }
        }
    }

    @Override
    public int readyOps() {
        requireValid();
        return readyOps;
    }

    int ready() {
        return readyOps;
    }

    void ready(int ops) {
        readyOps = ops;
    }

    /// What is ready of what is of interest.
    int readyNow() {
        int rdma = source == null ? 0 : source.rdmaReadyOps() & interestOps;
        return rdma | jdkReady & interestOps;
    }

    /// The selector looks at it in its next selection.
    void enqueue() {
        if (!isQueued && QUEUED.compareAndSet(this, false, true)) {
            selector.enqueue(this);
        }
    }

    /// Before the selector looks at it.
    void dequeued() {
        QUEUED.setVolatile(this, false);
    }

    @Override
    public void onReady() {
        if (source != null && (source.rdmaReadyOps() & interestOps) != 0) {
            enqueue();
            selector.signal();
        }
    }

    void onTransportChanged() {
        isTransportKnown = false;
        enqueue();
        selector.signal();
    }
}
