package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.cq.NativeCompletionQueue;
import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.Gids;
import io.verbena.rdmacore.layout.Qp;
import io.verbena.rdmacore.layout.QpAttr;
import io.verbena.rdmacore.layout.QpInitAttr;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.spi.ChangeCheck;
import io.verbena.verbs.spi.PostRules;
import io.verbena.verbs.spi.QueuePairTransitions;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.LongToIntFunction;

/// A queue pair of a native device. Posting goes to two queues, each under a lock of its own; everything else is
/// between [Lifetime#use] and the library.
public final class NativeQueuePair implements QueuePair {
    /// `IBV_QP_STATE`.
    private static final int STATE_ONLY = QueuePairAttribute.STATE.bit();
    /// All that [QueuePairAttributes] shows.
    private static final int ALL = allAttributes();

    /// The largest values that the C structs have room for; the device's limits may be lower.
    private static final int MAX_8_BITS = 0xFF;

    private static final int MAX_16_BITS = 0xFFFF;

    private final NativeProtectionDomain domain;
    private final NativeCompletionQueue sendCq;
    private final NativeCompletionQueue receiveCq;
    private final long address;
    private final int number;
    private final QueuePairType type;
    private final QueuePairCapabilities capabilities;
    private final LongToIntFunction destroy;
    private final Lifetime lifetime;
    private final SendPosts sends;
    private final ReceivePosts receives;
    /// Null when it has receives of its own.
    private final NativeSharedReceiveQueue sharedReceives;

    /// @param address the `struct ibv_qp`
    /// @param capabilities as the device gave them
    /// @param destroy gives the C object back and returns 0 or an error number
    public NativeQueuePair(
            NativeProtectionDomain domain,
            QueuePairOptions options,
            long address,
            QueuePairCapabilities capabilities,
            LongToIntFunction destroy) {
        this.domain = domain;
        this.sendCq = (NativeCompletionQueue) options.sendCq();
        this.receiveCq = (NativeCompletionQueue) options.receiveCq();
        this.address = address;
        this.number = Qp.QP_NUM.get(address);
        this.type = options.type();
        this.capabilities = capabilities;
        this.destroy = destroy;
        this.lifetime = new Lifetime("queue pair 0x%x".formatted(number));
        long driver = Qp.CONTEXT.get(address);
        this.sends = new SendPosts(
                "post send to QP 0x%x".formatted(number),
                ContextOps.function(driver, ContextOps.POST_SEND),
                address,
                type,
                capabilities,
                operation -> ExtendedSends.require(domain.context(), operation),
                ExtendedSends.of(address, options.operations()));
        this.sharedReceives = (NativeSharedReceiveQueue) options.sharedReceiveQueue();
        this.receives = new ReceivePosts(
                "post receive to QP 0x%x".formatted(number),
                ContextOps.function(driver, ContextOps.POST_RECV),
                address,
                capabilities.maxReceiveScatterGather(),
                "scatterGather",
                () -> sharedReceives == null && Qp.STATE.get(address) != QueuePairState.RESET.code(),
                sharedReceives == null ? PostRules.RECEIVE_IN_RESET : PostRules.RECEIVES_ARE_SHARED);
        domain.lifetime().children().add(this);
        sendCq.lifetime().children().add(this);
        receiveCq.lifetime().children().add(this);
        if (sharedReceives != null) {
            sharedReceives.lifetime().children().add(this);
        }
        domain.context().asyncEvents().attach(address, this);
        if (type == QueuePairType.UD) {
            receiveCq.datagrams().add(number);
        }
    }

    /// Makes one in the usual way.
    public static NativeQueuePair create(NativeProtectionDomain domain, QueuePairOptions options) {
        return QueuePairMaker.create(domain, options);
    }

    private static int allAttributes() {
        int mask = 0;
        for (QueuePairAttribute attribute : QueuePairAttribute.values()) {
            mask |= attribute.bit();
        }
        return mask;
    }

    /// The `struct ibv_qp`; it stays while the caller is in [Lifetime#use].
    public long address() {
        return address;
    }

    public Lifetime lifetime() {
        return lifetime;
    }

    public boolean isClosed() {
        return lifetime.hasEnded();
    }

    private NativeContext context() {
        return domain.context();
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public QueuePairType type() {
        return type;
    }

    /// Queries the device, because the queue pair may have entered the error state by itself. RESET once closed.
    @Override
    public QueuePairState state() {
        return lifetime.hasEnded() ? QueuePairState.RESET : lifetime.use("query queue pair", this::currentState);
    }

    private QueuePairState currentState() {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttr.SIZE, 8).address();
            query(attr, STATE_ONLY, arena);
            return QueuePairState.ofCode(QpAttr.QP_STATE.get(attr));
        }
    }

    private void query(long attr, int mask, Arena arena) {
        long initAttr = arena.allocate(QpInitAttr.SIZE, 8).address();
        int failed = IbVerbs.LIB.queryQp(address, attr, mask, initAttr);
        if (failed != 0) {
            throw context().failure(Subject.QUEUE_PAIR, "query QP 0x%x".formatted(number), failed);
        }
    }

    @Override
    public QueuePairCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public NativeCompletionQueue sendCq() {
        return sendCq;
    }

    @Override
    public NativeCompletionQueue receiveCq() {
        return receiveCq;
    }

    @Override
    public void modify(QueuePairChange change) {
        String verb = "modify QP 0x%x".formatted(number);
        lifetime.use(verb, () -> {
            synchronized (this) {
                change(verb, change);
                return null;
            }
        });
    }

    private void change(String verb, QueuePairChange change) {
        QueuePairTransitions.check(number, type, currentState(), change);
        int ports = context().attributes().portCount();
        ChangeCheck.check(verb, change, ports, MAX_16_BITS, MAX_8_BITS);
        if (change.has(QueuePairAttribute.PORT) && change.has(QueuePairAttribute.PKEY_INDEX)) { // rxe takes any row
            int lastKey = context().port(change.port()).pkeyTableLength() - 1;
            ChangeCheck.check(verb, change, ports, lastKey, MAX_8_BITS);
        }
        if (change.has(QueuePairAttribute.PATH_MTU) && change.has(QueuePairAttribute.ADDRESS_VECTOR)) {
            ChangeCheck.checkMtu(
                    verb, change, context().port(change.address().port()).activeMtu());
        }
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpAttr.SIZE, 8).address();
            int mask = QueuePairCodec.writeChange(context(), attr, change);
            int failed = IbVerbs.LIB.modifyQp(address, attr, mask);
            if (failed != 0) {
                String step = change.state() == null ? verb : verb + " to " + change.state();
                throw context().failure(Subject.STATE, step, failed);
            }
        }
    }

    @Override
    public QueuePairAttributes query() {
        return lifetime.use("query QP 0x%x".formatted(number), () -> {
            try (Arena arena = Arena.ofConfined()) {
                long attr = arena.allocate(QpAttr.SIZE, 8).address();
                query(attr, ALL, arena);
                return QueuePairCodec.readAttributes(attr);
            }
        });
    }

    @Override
    public SendRequest newSendRequest() {
        return new NativeSendRequest(
                capabilities.maxSendScatterGather(), capabilities.maxInlineBytes(), type == QueuePairType.UD);
    }

    @Override
    public ReceiveRequest newReceiveRequest() {
        return new NativeReceiveRequest(capabilities.maxReceiveScatterGather());
    }

    @Override
    public boolean post(SendRequest request) {
        return sends.post(request);
    }

    @Override
    public int postSends(List<SendRequest> chain) {
        return sends.post(chain);
    }

    @Override
    public boolean post(ReceiveRequest request) {
        return receives.post(request);
    }

    @Override
    public int postReceives(List<ReceiveRequest> chain) {
        return receives.post(chain);
    }

    @Override
    public void attachMulticast(Gid group) {
        attachMulticast(group, 0);
    }

    /// @param lid the group's in an InfiniBand subnet; 0 on RoCE
    public void attachMulticast(Gid group, int lid) {
        multicast("attach", group, gid -> IbVerbs.LIB.attachMcast(address, gid, (short) lid));
    }

    @Override
    public void detachMulticast(Gid group) {
        detachMulticast(group, 0);
    }

    public void detachMulticast(Gid group, int lid) {
        multicast("detach", group, gid -> IbVerbs.LIB.detachMcast(address, gid, (short) lid));
    }

    private void multicast(String what, Gid group, LongToIntFunction call) {
        String verb = "%s QP 0x%x to group %s".formatted(what, number, group);
        try (Arena arena = Arena.ofConfined()) {
            long gid = arena.allocate(Gids.SIZE, 8).address();
            Gids.put(gid, group);
            int failed = lifetime.use(verb, () -> call.applyAsInt(gid));
            if (failed != 0) {
                throw context().failure(Subject.STATE, verb, failed);
            }
        }
    }

    @Override
    public void close() {
        if (lifetime.end("close QP 0x%x".formatted(number), () -> sends.close(() -> receives.close(this::destroy)))) {
            sendCq.lifetime().children().remove(this);
            receiveCq.lifetime().children().remove(this);
            receiveCq.datagrams().remove(number);
            if (sharedReceives != null) {
                sharedReceives.lifetime().children().remove(this);
            }
            domain.lifetime().children().remove(this);
        }
    }

    private void destroy() {
        context().asyncEvents().detach(address);
        int failed = destroy.applyAsInt(address);
        if (failed != 0) {
            context().asyncEvents().attach(address, this);
            throw context().failure(Subject.QUEUE_PAIR, "close QP 0x%x".formatted(number), failed);
        }
    }

    @Override
    public String toString() {
        return "QP 0x%x (%s)".formatted(number, type);
    }
}
