package io.verbena.verbs.attr;

/// A queue pair as it is now. Counterpart of `struct ibv_qp_attr` as filled in by `ibv_query_qp`. [#address] and
/// [#pathMtu] are null while they were never set.
public record QueuePairAttributes(
        QueuePairState state,
        int access,
        int pkeyIndex,
        int port,
        int qkey,
        AddressVector address,
        Mtu pathMtu,
        int destinationQp,
        int receivePsn,
        int sendPsn,
        int timeout,
        int retryCount,
        int rnrRetry,
        int minRnrTimer,
        int maxReadAtomic,
        int maxDestinationReadAtomic,
        boolean sendQueueDraining,
        QueuePairCapabilities capabilities) {}
