package io.verbena.verbs;

import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.List;

/// Receives that several queue pairs draw from. Counterpart of `struct ibv_srq`.
public interface SharedReceiveQueue extends AutoCloseable {
    /// The domain it was made in.
    ProtectionDomain protectionDomain();

    /// A receive to be filled in, posted, patched and posted again on this queue.
    ReceiveRequest newReceiveRequest();

    /// Posts one receive: false when the queue is full. Counterpart of `ibv_post_srq_recv`.
    boolean post(ReceiveRequest request);

    /// Posts receives in order in one go, and returns how many were taken, as [QueuePair#postReceives] does.
    int postReceives(List<ReceiveRequest> chain);

    /// Arms one event, SRQ_LIMIT_REACHED, for when fewer than `limit` receives are left; 0 for none. It fires
    /// once: set the limit again for the next. When fewer are left already, it fires with the next receive that
    /// is taken; adapters may do so at once. Counterpart of `ibv_modify_srq` with the limit.
    void limit(int limit);

    /// Changes how many receives the queue has room for. Counterpart of `ibv_modify_srq` with max_wr.
    void resize(int maxRequests);

    /// The sizes and the limit as they are now. Counterpart of `ibv_query_srq`.
    SharedReceiveQueueOptions query();

    /// Closes the queue; EBUSY while queue pairs use it. Counterpart of `ibv_destroy_srq`.
    @Override
    void close();
}
