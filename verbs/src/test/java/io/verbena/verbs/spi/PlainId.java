package io.verbena.verbs.spi;

import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A synchronous id without a device: notes what was started. Its timeout is ten seconds.
final class PlainId extends ConnectionIdBase {
    enum Stage {
        OPEN,
        CLOSED
    }

    final List<String> started = new ArrayList<>();
    Stage stage = Stage.OPEN;
    private final EventChannel channel;
    private final LongSupplier clock;
    private final Supplier<RuntimeException> reason;

    PlainId(EventChannel channel, LongSupplier clock, Supplier<RuntimeException> reason) {
        super(PortSpace.TCP, new ConnectionOptions(), channel);
        this.channel = channel;
        this.clock = clock;
        this.reason = reason;
        timeout(Duration.ofSeconds(10));
    }

    void requireOpen() {
        require("verb", EnumSet.of(Stage.OPEN), "open it");
    }

    @Override
    protected EventChannel currentChannel() {
        return channel;
    }

    @Override
    protected Enum<?> stage() {
        return stage;
    }

    @Override
    protected boolean isClosed() {
        return stage == Stage.CLOSED;
    }

    @Override
    protected long nowNs() {
        return clock.getAsLong();
    }

    @Override
    protected RuntimeException failureReason() {
        return reason.get();
    }

    @Override
    protected void requireListening() {}

    @Override
    protected void startResolvingAddress(InetSocketAddress local, InetSocketAddress peer, Duration timeout) {
        started.add("address");
    }

    @Override
    protected void startResolvingRoute(Duration timeout) {
        started.add("route");
    }

    @Override
    protected void startConnecting(ConnectionParameters parameters) {
        started.add("connect");
    }

    @Override
    protected void startAccepting(ConnectionParameters parameters) {
        started.add("accept");
    }

    @Override
    protected void startDisconnecting() {
        started.add("disconnect");
    }

    @Override
    protected void startJoining(InetSocketAddress group, boolean sendOnly) {
        started.add("join");
    }

    @Override
    protected void moveTo(EventChannel target) {
        started.add("move");
    }

    @Override
    protected void end() {
        stage = Stage.CLOSED;
    }

    @Override
    public Context context() {
        return null;
    }

    @Override
    public ProtectionDomain protectionDomain() {
        return null;
    }

    @Override
    public QueuePair queuePair() {
        return null;
    }

    @Override
    public InetSocketAddress localAddress() {
        return null;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return null;
    }

    @Override
    public void option(ConnectionOption option, int value) {}

    @Override
    public void bind(InetSocketAddress local) {}

    @Override
    public QueuePair createQueuePair(ProtectionDomain pd, QueuePairOptions options) {
        return null;
    }

    @Override
    public void listen(int backlog) {}

    @Override
    public void reject(byte[] privateData) {}
}
