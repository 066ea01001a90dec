package io.verbena.soft.qp;

import io.verbena.soft.cq.SoftCompletionQueue;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.mem.BindableWindow;
import io.verbena.soft.mem.MemoryUser;
import io.verbena.soft.os.AsymmetricFence;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.status.ConnectionStatus;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.spi.UnreadableBytesException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/// A queue pair of the software device. Programs access the two work queues, under a lock each. All else is owned by
/// the engine.
public final class SoftQueuePair implements QueuePair, MemoryUser {
    private final QueueDomain domain;
    private final QueuePairType type;
    private final Engine engine;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue receiveCq;
    private final QueuePairCapabilities capabilities;
    private final SendQueue sends;
    /// The source of receives. One of the two is null.
    private final ReceiveQueue receives;

    private final SoftSharedReceiveQueue sharedReceives;
    private final PostCheck check;
    private final TransportService service;
    private final BiasedLock sendLock = new BiasedLock();
    private final BiasedLock receiveLock = new BiasedLock();

    private volatile boolean closed;

    public SoftQueuePair(QueueDomain domain, QueuePairOptions options) {
        this.domain = domain;
        this.type = options.type();
        this.sendCq = (SoftCompletionQueue) options.sendCq();
        this.receiveCq = (SoftCompletionQueue) options.receiveCq();
        this.engine = SoftCompletionQueue.engineOf(sendCq, receiveCq);
        QueuePairCapabilities asked = options.capabilities();
        this.sends = new SendQueue(asked.maxSendRequests(), asked.maxSendScatterGather(), asked.maxInlineBytes());
        this.sharedReceives = (SoftSharedReceiveQueue) options.sharedReceiveQueue();
        // With a shared receive queue, the queue pair has none of its own (rule QP-10).
        boolean shares = sharedReceives != null;
        this.receives = shares ? null : new ReceiveQueue(asked.maxReceiveRequests(), asked.maxReceiveScatterGather());
        this.capabilities = new QueuePairCapabilities(
                sends.capacity(),
                shares ? 0 : receives.capacity(),
                asked.maxSendScatterGather(),
                shares ? 0 : asked.maxReceiveScatterGather(),
                asked.maxInlineBytes());
        CurrentReceive receive = shares ? CurrentReceive.of(sharedReceives) : CurrentReceive.of(this, receives);
        this.service = TransportServices.make(this, sends, receive, options.signalAll());
        this.check = new PostCheck(this);
        try {
            useQueues();
            engine.execute(() -> {
                engine.queuePairs().add(service);
                if (mayUseLocalPath() && type == QueuePairType.RC) {
                    engine.local().publishQueuePair(number());
                }
            });
        } catch (RuntimeException e) {
            leaveQueues();
            throw e;
        }
    }

    /// Registers as a user of its queues, so that they cannot be closed.
    private void useQueues() {
        boolean all = sendCq.users().tryAdd(this)
                && receiveCq.users().tryAdd(this)
                && (sharedReceives == null || sharedReceives.users().tryAdd(this));
        if (!all) {
            throw new RdmaException(
                    "create queue pair",
                    Errno.EINVAL,
                    "its completion queue or shared receive queue was closed meanwhile");
        }
    }

    private void leaveQueues() {
        sendCq.users().remove(this);
        receiveCq.users().remove(this);
        if (sharedReceives != null) {
            sharedReceives.users().remove(this);
        }
    }

    /// Not where the completion queues are of different shards: the local path of a shard knows its own only.
    boolean mayUseLocalPath() {
        return engine.local() != null && sendCq.isServedBy(engine) && receiveCq.isServedBy(engine);
    }

    Engine engine() {
        return engine;
    }

    public boolean isOf(Engine other) {
        return engine == other;
    }

    // ---- what programs call ----

    @Override
    public QueueDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return service.number();
    }

    @Override
    public QueuePairType type() {
        return type;
    }

    @Override
    public QueuePairState state() {
        return service.state();
    }

    @Override
    public QueuePairCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public SoftCompletionQueue sendCq() {
        return sendCq;
    }

    @Override
    public SoftCompletionQueue receiveCq() {
        return receiveCq;
    }

    @Override
    public SendRequest newSendRequest() {
        return new SoftSendRequest(this, capabilities.maxSendScatterGather());
    }

    @Override
    public ReceiveRequest newReceiveRequest() {
        return new SoftReceiveRequest(this, capabilities.maxReceiveScatterGather());
    }

    @Override
    public boolean post(SendRequest request) {
        LocalPath taker;
        sendLock.lock();
        try {
            SoftSendRequest checked = check.send(request, 0);
            if (isFull()) {
                return false;
            }
            taker = take(checked, 0);
        } finally {
            sendLock.unlock();
        }
        announce(taker);
        return true;
    }

    /// Under the send lock.
    private boolean isFull() {
        if (!sends.isFull()) {
            return false;
        }
        LocalPath local = service.localPath();
        if (local != null) {
            local.makeRoom();
        }
        return sends.isFull();
    }

    /// Gives a checked request to the local path, or queues it for the engine. Returns the path that took it, or null.
    /// Under the send lock.
    private LocalPath take(SoftSendRequest checked, int index) {
        LocalPath local = service.localPath();
        try {
            if (local != null && local.post(checked)) {
                return local;
            }
            sends.write(checked);
            return null;
        } catch (UnreadableBytesException e) {
            throw check.unreadable(index, e);
        }
    }

    private void announce(LocalPath taker) {
        if (taker == null) {
            announce();
        } else {
            taker.callEngineIfWanted();
        }
    }

    @Override
    public int postSends(List<SendRequest> chain) {
        int taken = 0;
        LocalPath taker = null;
        sendLock.lock();
        try {
            for (int count = PostCheck.size(chain); taken < count; taken++) {
                SoftSendRequest checked = check.send(chain.get(taken), taken);
                if (isFull()) {
                    break;
                }
                taker = take(checked, taken);
            }
        } catch (UnsupportedVerbException e) {
            throw new BadRequestException(taken, e);
        } finally {
            sendLock.unlock();
            if (taken > 0) {
                announce(taker);
            }
        }
        return taken;
    }

    @Override
    public boolean post(ReceiveRequest request) {
        receiveLock.lock();
        try {
            SoftReceiveRequest checked = check.receive(request, 0);
            if (receives.isFull()) {
                return false;
            }
            receives.write(checked);
        } finally {
            receiveLock.unlock();
        }
        announceReceives();
        return true;
    }

    @Override
    public int postReceives(List<ReceiveRequest> chain) {
        int taken = 0;
        receiveLock.lock();
        try {
            for (int count = PostCheck.size(chain); taken < count; taken++) {
                SoftReceiveRequest checked = check.receive(chain.get(taken), taken);
                if (receives.isFull()) {
                    break;
                }
                receives.write(checked);
            }
        } finally {
            receiveLock.unlock();
            announceReceives();
        }
        return taken;
    }

    private void announce() {
        sendCq.onNetworkPost();
        receiveCq.onNetworkPost();
        engine.emitSoon(service);
    }

    /// Receives wait for messages. Only in the error state they must be flushed at once.
    private void announceReceives() {
        // Pairs with the fence in TransportService.enterError: either this sees ERR, or the flush sees the receives.
        AsymmetricFence.frequentSideInProcess();
        if (state() == QueuePairState.ERR) {
            announce();
        }
    }

    @Override
    public void modify(QueuePairChange change) {
        engine.execute(() -> {
            if (closed) {
                throw new RdmaException("modify QP 0x%x".formatted(number()), Errno.EBADF, "the queue pair is closed");
            }
            service.change(Objects.requireNonNull(change, "the change is null"));
        });
    }

    /// For the connection manager: the peer or the program disconnects. What arrived before counts.
    public void fail() {
        engine.executeAfterArrivals(() -> modify(QueuePairChange.to(QueuePairState.ERR)));
    }

    /// For the connection manager: sends acknowledgements that wait for the program's next message.
    public void sendAcknowledgements() {
        engine.execute(() -> {});
    }

    @Override
    public QueuePairAttributes query() {
        return engine.call(service::query);
    }

    @Override
    public void attachMulticast(Gid group) {
        String verb = "attach QP 0x%x to group %s".formatted(number(), group);
        if (type != QueuePairType.UD) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "it is of type " + type + "; only datagrams go to groups, so make one of type UD");
        }
        engine.execute(() -> {
            if (closed) {
                throw new RdmaException(verb, Errno.EBADF, "the queue pair is closed");
            }
            engine.multicast().attach(service, group);
        });
    }

    @Override
    public void detachMulticast(Gid group) {
        engine.execute(() -> engine.multicast().detach(service, group));
    }

    /// Leaves all groups, so that the queue pair can be closed.
    public void detachMulticast() {
        engine.execute(() -> engine.multicast().detachAll(service));
    }

    private void requireNoGroup() {
        if (service.groups() > 0) {
            throw new RdmaException(
                    "close QP 0x%x".formatted(number()),
                    Errno.EBUSY,
                    "it is attached to " + service.groups() + " multicast groups; detach it first");
        }
    }

    /// A second caller waits for the first: after any close, the queues of the queue pair may be closed too.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        engine.execute(this::requireNoGroup);
        closed = true;
        engine.execute(() -> {
            service.close();
            engine.multicast().detachAll(service);
            engine.remove(service);
        });
        leaveQueues();
        domain.context().asyncEvents().forget(this);
        domain.forget(this);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    BiasedLock sendLock() {
        return sendLock;
    }

    public boolean sharesReceives() {
        return sharedReceives != null;
    }

    @Override
    public String toString() {
        return "QP 0x%x (%s, %s)".formatted(number(), type, state());
    }

    // ---- what the engine and the connection manager call ----

    public TransportService service() {
        return service;
    }

    /// Its status, from any thread.
    public ConnectionStatus status(int localPort, int peerPort, long nowNs) {
        return QueuePairSample.of(this, localPort, peerPort, nowNs);
    }

    /// The queue that receives are taken from: its own, or the shared one.
    ReceiveQueue receives() {
        return receives == null ? sharedReceives.ring() : receives;
    }

    /// Binds a window of type 1. False when the send queue is full.
    public boolean bind(BindableWindow window, int rkey, long wrId, MemoryWindowBind bind) {
        return post(SoftSendRequest.bindByCall(this, window, rkey, wrId, bind));
    }

    /// For the connection manager: runs once, as owner, when the peer's first request arrives.
    public void onFirstRequest(Runnable listener) {
        engine.execute(() -> service.firstRequestListener(listener));
    }

    /// For the connection manager: runs once, as owner, when the peer is gone without disconnecting. ECONNRESET means
    /// that its process has ended, which is visible on one host; ETIMEDOUT that it does not answer.
    ///
    /// @param livenessNs how long the peer may be silent on the network before keep-alives are sent; 0 for ever
    public void onPeerGone(long livenessNs, Consumer<Errno> listener) {
        engine.execute(() -> {
            service.settings.livenessNs = livenessNs;
            service.peerGoneListener(listener);
        });
    }

    /// For the connection manager: holds posted sends back until the peer is known to be ready.
    public void holdSends(boolean held) {
        engine.execute(() -> service.holdSends(held));
    }
}
