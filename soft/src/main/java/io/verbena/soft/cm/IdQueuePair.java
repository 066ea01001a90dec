package io.verbena.soft.cm;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.OwnQueues;
import io.verbena.verbs.spi.PortSpaceRules;

/// The queue pair that an id makes and moves itself. Changed under the id's monitor, read by any thread.
final class IdQueuePair {
    private static final String VERB = "rdma_create_qp";

    private final PortSpace space;
    private volatile SoftQueuePair queuePair;
    private volatile boolean hasSrq;
    private OwnQueues ownQueues;

    IdQueuePair(PortSpace space) {
        this.space = space;
    }

    /// Null when there is none, or it was closed.
    SoftQueuePair get() {
        SoftQueuePair present = queuePair;
        return present == null || present.isClosed() ? null : present;
    }

    /// Whether the id has or had a queue pair: then it does not handle one that the program made.
    boolean wasMade() {
        return queuePair != null;
    }

    boolean hasSharedReceiveQueue() {
        return hasSrq;
    }

    /// Makes the queue pair, ready for receives; for datagrams also ready to send.
    SoftQueuePair create(SoftSharedDevice device, ProtectionDomain pd, QueuePairOptions wanted) {
        if (get() != null) {
            throw new RdmaException(VERB, Errno.EINVAL, "the id has one already");
        }
        QueuePairType fitting = PortSpaces.isDatagram(space) ? QueuePairType.UD : QueuePairType.RC;
        if (wanted.type() != fitting) {
            throw new UnsupportedVerbException(
                    device.context().device().name(),
                    VERB + " of type " + wanted.type() + " in port space " + space,
                    PortSpaceRules.remedy(space));
        }
        ProtectionDomain domain = pd == null ? device.domain() : pd;
        if (!(domain.context() instanceof SoftContext context)
                || context.device() != device.context().device()) {
            throw new RdmaException(
                    VERB, Errno.EINVAL, "the protection domain is not of " + device.context() + ", which the id uses");
        }
        closeQueues();
        OwnQueues queues = new OwnQueues(domain.context(), wanted);
        try {
            queuePair = make(domain, queues.options());
        } catch (RuntimeException e) {
            queues.closeAfter(e);
            throw e;
        }
        ownQueues = queues;
        hasSrq = wanted.sharedReceiveQueue() != null;
        return queuePair;
    }

    private SoftQueuePair make(ProtectionDomain domain, QueuePairOptions options) {
        SoftQueuePair made = (SoftQueuePair) domain.createQueuePair(options);
        try {
            init(made);
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private void init(SoftQueuePair made) {
        if (PortSpaces.isDatagram(space)) {
            made.modify(QueuePairChange.toInit(PortSpaces.DATAGRAM_QKEY));
            made.modify(QueuePairChange.toRtr());
            made.modify(QueuePairChange.toRtsUnreliable(0));
        } else {
            made.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
        }
    }

    void close() {
        if (queuePair != null) {
            queuePair.close();
        }
        closeQueues();
    }

    void closeQueues() {
        if (ownQueues != null) {
            ownQueues.close();
        }
    }
}
