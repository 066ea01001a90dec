package io.verbena.verbs;

import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.List;

/// Receives that several queue pairs draw from. Counterpart of `struct ibv_srq`.
public interface SharedReceiveQueue extends AutoCloseable {
    ProtectionDomain protectionDomain();

    ReceiveRequest newReceiveRequest();

    /// Counterpart of `ibv_post_srq_recv`; false when full.
    boolean post(ReceiveRequest request);

    int postReceives(List<ReceiveRequest> chain);

    /// Arms one event, SRQ_LIMIT_REACHED, for when fewer than `limit` receives are left; 0 for none. It fires
    /// once: set the limit again for the next. When fewer are left already, it fires with the next receive that
    /// is taken; adapters may do so at once. Counterpart of `ibv_modify_srq` with the limit.
    void limit(int limit);

    /// Counterpart of `ibv_modify_srq` with max_wr.
    void resize(int maxRequests);

    /// Counterpart of `ibv_query_srq`.
    SharedReceiveQueueOptions query();

    /// Counterpart of `ibv_destroy_srq`; EBUSY while queue pairs use it.
    @Override
    void close();
}
