package io.verbena.sockets;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// How a channel gets its connection: over RDMA, over TCP, or first the one and then the other.
final class ConnectAttempt {
    private static final System.Logger LOG = System.getLogger("io.verbena.sockets");

    /// How long a peer has to answer over RDMA.
    private static final long RDMA_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(250);

    /// How long a peer has at the first attempt of a JVM. Then the peer has often just started, too, and loads classes
    /// to answer.
    private static final long FIRST_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final AtomicBoolean IS_FIRST = new AtomicBoolean(true);

    /// How long this side may take before it asks the peer. The first connection of a JVM loads many classes.
    private static final long PREPARE_LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    /// Where attempts are given up in time, and TCP is tried. It runs only while there are such attempts.
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private final ChannelConnection channel;
    private final InetSocketAddress local;
    private final InetSocketAddress peer;
    private final Transport transport;
    private final long limitNs;
    private final long beganNs = System.nanoTime();

    /// Guarded by this.
    private RdmaStream stream;

    private SocketChannel tcp;
    private volatile boolean isRdmaGivenUp;
    private volatile IOException problem;

    /// Where a thread waits for TCP; null while none does.
    private volatile Selector sleepsIn;

    ConnectAttempt(ChannelConnection channel, InetSocketAddress local, InetSocketAddress peer, Transport transport) {
        this.channel = channel;
        this.local = local;
        this.peer = peer;
        this.transport = transport == Transport.AUTO && FallbackMemory.isRemembered(peer) ? Transport.TCP : transport;
        boolean isFirst = this.transport != Transport.TCP && IS_FIRST.getAndSet(false);
        limitNs = isFirst ? FIRST_LIMIT_NS : RDMA_LIMIT_NS;
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("verbena-sockets-timer").factory());
        made.setKeepAliveTime(1, TimeUnit.SECONDS);
        made.allowCoreThreadTimeOut(true);
        made.setRemoveOnCancelPolicy(true);
        return made;
    }

    /// Begins, without waiting for the outcome.
    synchronized void begin() throws IOException {
        if (transport == Transport.TCP) {
            beginTcp();
            return;
        }
        try {
            stream = channel.openStream(localAddress());
            channel.useStream(stream);
            stream.opening().connect(local == null ? 0 : local.getPort(), peer);
        } catch (RdmaException e) {
            onRdmaFailed(StreamFailure.unreachable(e.getMessage()));
        }
        if (transport == Transport.AUTO && tcp == null) {
            giveUpLater();
        }
    }

    /// The peer's time begins when it was asked; before that, this side is preparing.
    private void giveUpLater() {
        TIMER.schedule(this::giveUpIfLate, Math.max(1, timeLeftNs()), TimeUnit.NANOSECONDS);
    }

    private void giveUpIfLate() {
        if (channel.tcp() != null || channel.stream().isEstablished() || !channel.isOpen()) {
            return;
        }
        if (timeLeftNs() > 0) {
            giveUpLater();
        } else {
            giveUpSlowPeer();
        }
    }

    private long timeLeftNs() {
        long askedNs = channel.stream().opening().askedNs();
        long nowNs = System.nanoTime();
        return askedNs == 0 ? beganNs + PREPARE_LIMIT_NS - nowNs : askedNs + limitNs - nowNs;
    }

    private InetAddress localAddress() {
        if (local != null && !local.getAddress().isAnyLocalAddress()) {
            return local.getAddress();
        }
        InetAddress towards = LocalAddresses.towards(peer.getAddress());
        if (towards == null) {
            throw new RdmaException("connect to " + peer, Errno.ENETUNREACH, "there is no route to that address");
        }
        return towards;
    }

    /// The stream says that something has happened.
    void onStreamReady() {
        RdmaStream tried = channel.stream();
        if (transport == Transport.AUTO && tried != null && !tried.isEstablished() && tried.failure() != null) {
            TIMER.execute(() -> giveUpRdma(tried.failure().message()));
        }
    }

    /// It may have RDMA, and be slow for once. Or this side was, and the answer is there.
    void giveUpSlowPeer() {
        Hub hub = channel.stream().hub();
        try {
            hub.pollEvents();
        } catch (RuntimeException e) { // mostly of another connection, which has the same hub
            LOG.log(Level.WARNING, () -> "a client of " + hub + " goes on after a fault", e);
        }
        giveUpRdma(
                "no answer within %d ms".formatted(TimeUnit.NANOSECONDS.toMillis(limitNs)),
                FallbackMemory.AFTER_SILENCE_NS);
    }

    private void giveUpRdma(String reason) {
        giveUpRdma(reason, FallbackMemory.AFTER_ANSWER_NS);
    }

    private synchronized void giveUpRdma(String reason, long rememberedNs) {
        if (tcp == null && problem == null && stream != null && channel.isOpen()) {
            isRdmaGivenUp = true;
            if (stream.isEstablished()) { // it has the connection after all, and may have told a selector
                isRdmaGivenUp = false;
                channel.keys().onReady(); // a selector that looked in between saw that it was not ready
                return;
            }
            stream.close();
            try {
                fallBack(reason, rememberedNs);
            } catch (IOException e) {
                problem = e;
                channel.onAttemptFailed();
            }
        }
    }

    private void onRdmaFailed(StreamFailure failure) throws IOException {
        if (transport != Transport.AUTO) {
            throw failure.exception();
        }
        if (stream != null) {
            stream.close();
        }
        fallBack(failure.message(), FallbackMemory.AFTER_ANSWER_NS);
    }

    private void fallBack(String reason, long rememberedNs) throws IOException {
        if (!channel.isOpen()) {
            throw new AsynchronousCloseException(); // which is why RDMA failed
        }
        FallbackMemory.remember(peer, rememberedNs);
        SocketEvents.fellBack(peer, reason);
        beginTcp();
    }

    private void beginTcp() throws IOException {
        tcp = channel.openTcp();
        tcp.configureBlocking(false);
        tcp.connect(peer);
        channel.useTcp(tcp);
    }

    /// Whether the outcome is known.
    synchronized boolean isDone() throws IOException {
        if (problem != null) {
            throw problem;
        }
        if (tcp != null) {
            return tcp.finishConnect();
        }
        StreamFailure failure = stream.failure();
        if (stream.isEstablished()) {
            return true;
        }
        if (failure != null && transport != Transport.AUTO) {
            throw failure.exception();
        }
        return false;
    }

    /// Waits until the outcome is known; false when the time is over, or the channel is closed meanwhile.
    boolean await(long deadlineNs) throws IOException {
        boolean isDone = isDone();
        while (!isDone && channel.isOpen() && !Thread.currentThread().isInterrupted()) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return false;
            }
            RdmaStream trying = channel.stream();
            if (channel.tcp() != null) {
                awaitTcp(channel.tcp(), leftNs);
            } else if (transport == Transport.AUTO) {
                long mostNs = Math.min(RDMA_LIMIT_NS, Math.max(1, timeLeftNs()));
                trying.await(SelectionKey.OP_CONNECT, System.nanoTime() + Math.min(leftNs, mostNs));
                if (trying.failure() != null) {
                    giveUpRdma(trying.failure().message());
                } else if (!trying.isEstablished() && timeLeftNs() <= 0) {
                    giveUpSlowPeer();
                }
            } else {
                trying.await(SelectionKey.OP_CONNECT, deadlineNs);
            }
            isDone = isDone();
        }
        return isDone;
    }

    private void awaitTcp(SocketChannel over, long leftNs) throws IOException {
        try (Selector selector = JdkProvider.get().openSelector()) {
            over.register(selector, SelectionKey.OP_CONNECT);
            sleepsIn = selector;
            if (channel.isOpen()) {
                selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs)));
            }
        } catch (ClosedChannelException closed) {
            // The channel was closed meanwhile, which the caller sees.
        } finally {
            sleepsIn = null;
        }
    }

    /// The JDK does not wake a selector whose channel is closed.
    void onClosed() {
        Selector selector = sleepsIn;
        if (selector != null) {
            selector.wakeup();
        }
    }

    /// Why neither of the two works; null while one may. Not synchronized: a connection asks for it with its lock.
    IOException problem() {
        return problem;
    }

    /// Whether the outcome over RDMA is known: what makes the channel ready for `finishConnect`.
    boolean isRdmaOutcomeKnown() {
        RdmaStream tried = channel.stream();
        return tried != null
                && !isRdmaGivenUp
                && (tried.isEstablished() || tried.failure() != null && transport != Transport.AUTO);
    }
}
