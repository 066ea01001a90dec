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
import io.verbena.verbs.spi.PortSpaceRules;

/// The queue pair that an id makes and moves itself. Changed under the id's monitor, read by any thread.
final class IdQueuePair {
    private static final String VERB = "rdma_create_qp";

    private final PortSpace space;
    private volatile SoftQueuePair queuePair;
    private volatile boolean hasSrq;

    IdQueuePair(PortSpace space) {
        this.space = space;
    }

    /// Null when there is none, or it was closed.
    SoftQueuePair get() {
        SoftQueuePair present = queuePair;
        return present == null || present.isClosed() ? null : present;
    }

    /// Whether there is or was one: then the id does not look after one of the program's own.
    boolean wasMade() {
        return queuePair != null;
    }

    boolean hasSharedReceiveQueue() {
        return hasSrq;
    }

    /// Makes it, ready for receives; one for datagrams is ready to send as well.
    SoftQueuePair create(SharedDevice device, ProtectionDomain pd, QueuePairOptions wanted) {
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
        if (!(domain.context() instanceof SoftContext context) || context.engine() != device.engine()) {
            throw new RdmaException(
                    VERB, Errno.EINVAL, "the protection domain is not of " + device.context() + ", which the id uses");
        }
        SoftQueuePair made = (SoftQueuePair) domain.createQueuePair(wanted);
        try {
            init(made);
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
        queuePair = made;
        hasSrq = wanted.sharedReceiveQueue() != null;
        return made;
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
    }
}
