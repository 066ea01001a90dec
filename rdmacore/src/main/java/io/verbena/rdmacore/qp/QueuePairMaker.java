package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.cq.NativeCompletionQueue;
import io.verbena.rdmacore.layout.QpAttr;
import io.verbena.rdmacore.layout.QpInitAttr;
import io.verbena.rdmacore.layout.QpInitAttrEx;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairCapabilities;
import java.lang.foreign.Arena;

/// Makes queue pairs.
public final class QueuePairMaker {
    private static final String VERB = "create queue pair";

    private QueuePairMaker() {}

    static NativeQueuePair create(NativeProtectionDomain domain, QueuePairOptions options) {
        check(domain, options);
        NativeCompletionQueue sendCq = (NativeCompletionQueue) options.sendCq();
        NativeCompletionQueue receiveCq = (NativeCompletionQueue) options.receiveCq();
        return sendCq.lifetime()
                .use(VERB, () -> receiveCq.lifetime().use(VERB, () -> makeWithReceives(domain, options)));
    }

    private static NativeQueuePair makeWithReceives(NativeProtectionDomain domain, QueuePairOptions options) {
        if (options.sharedReceiveQueue() instanceof NativeSharedReceiveQueue shared) {
            return shared.lifetime().use(VERB, () -> make(domain, options, shared.address()));
        }
        return make(domain, options, 0);
    }

    private static NativeQueuePair make(NativeProtectionDomain domain, QueuePairOptions options, long shared) {
        long sendCq = ((NativeCompletionQueue) options.sendCq()).address();
        long receiveCq = ((NativeCompletionQueue) options.receiveCq()).address();
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpInitAttrEx.SIZE, 8).address();
            QueuePairCodec.writeOptions(attr, ownReceivesLeftOut(options), sendCq, receiveCq, shared);
            long qp = ExtendedSends.areIn(options.operations())
                    ? ExtendedSends.create(domain, attr, options.operations())
                    : IbVerbs.LIB.createQp(domain.address(), attr);
            if (qp < 0) {
                throw domain.context().failure(Subject.QUEUE_PAIR, describe(options), (int) qp);
            }
            QueuePairCapabilities given =
                    capabilities(qp, QueuePairCodec.readCapabilities(attr + QpInitAttr.CAP), arena);
            return new NativeQueuePair(domain, options, qp, given, IbVerbs.LIB::destroyQp);
        }
    }

    /// With a shared receive queue the sizes of the queue pair's own receives do not matter, whatever they are.
    private static QueuePairOptions ownReceivesLeftOut(QueuePairOptions options) {
        QueuePairCapabilities c = options.capabilities();
        return options.sharedReceiveQueue() == null
                ? options
                : options.capabilities(c.withReceiveRequests(0).withScatterGather(c.maxSendScatterGather(), 0));
    }

    /// The sizes that the device gave. Some drivers return them when they make the queue pair, some only in a query.
    public static QueuePairCapabilities capabilities(long qp, QueuePairCapabilities told, Arena arena) {
        long attr = arena.allocate(QpAttr.SIZE, 8).address();
        long initAttr = arena.allocate(QpInitAttr.SIZE, 8).address();
        if (IbVerbs.LIB.queryQp(qp, attr, QueuePairAttribute.CAPABILITIES.bit(), initAttr) != 0) {
            return told;
        }
        QueuePairCapabilities asked = QueuePairCodec.readCapabilities(attr + QpAttr.CAP);
        return new QueuePairCapabilities(
                Math.max(told.maxSendRequests(), asked.maxSendRequests()),
                Math.max(told.maxReceiveRequests(), asked.maxReceiveRequests()),
                Math.max(told.maxSendScatterGather(), asked.maxSendScatterGather()),
                Math.max(told.maxReceiveScatterGather(), asked.maxReceiveScatterGather()),
                Math.max(told.maxInlineBytes(), asked.maxInlineBytes()));
    }

    /// Refuses objects that the library would mistake for others, because it would read foreign memory.
    public static void check(NativeProtectionDomain domain, QueuePairOptions options) {
        SharedReceiveQueue shared = options.sharedReceiveQueue();
        if (shared != null
                && !(shared instanceof NativeSharedReceiveQueue own
                        && own.protectionDomain().context() == domain.context()
                        && !own.lifetime().hasEnded())) {
            throw new RdmaException(VERB, Errno.EINVAL, "the shared receive queue is closed or of another context");
        }
        requireOwn(domain, options.sendCq());
        requireOwn(domain, options.receiveCq());
        DeviceAttributes limits = domain.context().attributes();
        QueuePairCapabilities c = options.capabilities();
        requireWithin("maxSendRequests", c.maxSendRequests(), limits.maxWorkRequests());
        requireWithin("maxSendScatterGather", c.maxSendScatterGather(), limits.maxScatterGather());
        if (shared == null) {
            requireWithin("maxReceiveRequests", c.maxReceiveRequests(), limits.maxWorkRequests());
            requireWithin("maxReceiveScatterGather", c.maxReceiveScatterGather(), limits.maxScatterGather());
        }
        requireWithin("maxInlineBytes", c.maxInlineBytes(), Integer.MAX_VALUE); // no call tells the limit
    }

    private static void requireOwn(NativeProtectionDomain domain, CompletionQueue queue) {
        if (!(queue instanceof NativeCompletionQueue own)
                || own.context() != domain.context()
                || own.lifetime().hasEnded()) {
            throw new RdmaException(
                    VERB,
                    Errno.EINVAL,
                    "the completion queue is closed or of another context; make one from this context");
        }
    }

    private static void requireWithin(String name, int value, int most) {
        if (value < 0 || value > most) {
            throw new RdmaException(VERB, Errno.EINVAL, name + " is " + value + "; the device takes 0 to " + most);
        }
    }

    private static String describe(QueuePairOptions options) {
        return VERB + " of type " + options.type() + " with " + options.capabilities();
    }
}
