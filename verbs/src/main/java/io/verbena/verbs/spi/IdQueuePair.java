package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.PortSpace;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The queue pair that an id makes and moves itself, with the completion queues that were made for it. Changed under
/// the id's lock, read by any thread.
///
/// @param <Q> the provider's queue pairs
public final class IdQueuePair<Q extends QueuePair> {
    private final PortSpace space;
    private final Class<Q> type;
    private final Predicate<Q> isClosed;
    private volatile Q made;
    private volatile boolean hasSrq;
    private OwnQueues ownQueues;

    /// For an id of that port space; it has no queue pair yet.
    public IdQueuePair(PortSpace space, Class<Q> type, Predicate<Q> isClosed) {
        this.space = space;
        this.type = type;
        this.isClosed = isClosed;
    }

    /// Null when there is none, or it was closed.
    public Q get() {
        Q present = made;
        return present == null || isClosed.test(present) ? null : present;
    }

    /// Also after it was closed: the id does not handle one that the program made. Null when there was none.
    public Q made() {
        return made;
    }

    /// Whether its receives come from a shared receive queue.
    public boolean hasSharedReceiveQueue() {
        return hasSrq;
    }

    /// Makes the queue pair.
    ///
    /// @param device the name of the id's device, for errors
    /// @param domain of that device
    /// @param init moves the queue pair to its first state; when that throws, nothing is left
    public Q create(String device, ProtectionDomain domain, QueuePairOptions wanted, Consumer<Q> init) {
        if (get() != null) {
            throw new RdmaException("rdma_create_qp", Errno.EINVAL, "the id has one already");
        }
        PortSpaceRules.requireType(device, space, wanted.type());
        closeQueues();
        OwnQueues queues = new OwnQueues(domain.context(), wanted);
        try {
            made = make(domain, queues.options(), init);
        } catch (RuntimeException e) {
            queues.closeAfter(e);
            throw e;
        }
        ownQueues = queues;
        hasSrq = wanted.sharedReceiveQueue() != null;
        return made;
    }

    private Q make(ProtectionDomain domain, QueuePairOptions options, Consumer<Q> init) {
        Q fresh = type.cast(domain.createQueuePair(options));
        try {
            init.accept(fresh);
            return fresh;
        } catch (RuntimeException e) {
            fresh.close();
            throw e;
        }
    }

    /// Closes the queue pair, then its queues.
    public void close() {
        if (made != null) {
            made.close();
        }
        closeQueues();
    }

    /// Closes the queues that were made for it and are not closed yet; EBUSY while another queue pair uses one.
    public void closeQueues() {
        if (ownQueues != null) {
            ownQueues.close();
        }
    }
}
