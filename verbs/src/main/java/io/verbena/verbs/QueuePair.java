package io.verbena.verbs;

import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;

/// A send queue and a receive queue, and the connection they work on. Counterpart of `struct ibv_qp`.
///
/// ```java
/// SendRequest write = qp.newSendRequest().wrId(7).write(remote.address(), remote.rkey()).from(mr, 0, 64).signaled();
/// while (!qp.post(write)) cq.poll(onCompletion, 16);
/// ```
///
/// A full queue is no error: `post` returns false. A wrong request throws [BadRequestException]. The completion tells
/// how an accepted request ended. Posting is safe from any thread and allocates nothing.
public interface QueuePair extends AutoCloseable {
    /// The domain it was made in.
    ProtectionDomain protectionDomain();

    /// The number peers address it by, 24 bits.
    int number();

    /// The transport service: RC, UC or UD.
    QueuePairType type();

    /// The state it is in now.
    QueuePairState state();

    /// The sizes of its queues, which may be larger than asked for.
    QueuePairCapabilities capabilities();

    /// The completion queue of send requests.
    CompletionQueue sendCq();

    /// The completion queue of receives.
    CompletionQueue receiveCq();

    /// Changes the state or attributes. Counterpart of `ibv_modify_qp`. A step that is not legal, or lacks an
    /// attribute, changes nothing and says why.
    void modify(QueuePairChange change);

    /// The state and the attributes as they are now. Counterpart of `ibv_query_qp`.
    QueuePairAttributes query();

    /// A request to be filled in, posted, patched and posted again on this queue pair. Software devices refuse requests
    /// that another queue made.
    SendRequest newSendRequest();

    /// A receive to be filled in, posted, patched and posted again on this queue pair.
    ReceiveRequest newReceiveRequest();

    /// Posts one request: false when the send queue is full. The request may be changed and posted again at
    /// once. The slot of an unsignaled request may stay taken until the completion of a later signaled one is
    /// polled; so signal at least one in each queue length. Adapters need that; software devices free such
    /// slots by themselves. Counterpart of `ibv_post_send`.
    boolean post(SendRequest request);

    /// Posts requests in order in one go, and returns how many were taken: fewer than all when the queue became
    /// full. A malformed or unsupported one throws [BadRequestException] with its index, after those before it were
    /// posted.
    int postSends(List<SendRequest> chain);

    /// Posts one receive: false when the receive queue is full. Counterpart of `ibv_post_recv`.
    boolean post(ReceiveRequest request);

    /// As [#postSends], for receives.
    int postReceives(List<ReceiveRequest> chain);

    /// Joins a multicast group: receives its datagrams from now on. Counterpart of `ibv_attach_mcast`.
    default void attachMulticast(Gid group) {
        throw new UnsupportedVerbException(protectionDomain().context().device().name(), "ibv_attach_mcast");
    }

    /// Leaves a multicast group. Counterpart of `ibv_detach_mcast`.
    default void detachMulticast(Gid group) {
        throw new UnsupportedVerbException(protectionDomain().context().device().name(), "ibv_detach_mcast");
    }

    /// Closes the queue pair. Requests still queued vanish without completion. Counterpart of `ibv_destroy_qp`.
    @Override
    void close();
}
