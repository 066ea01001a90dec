package io.verbena.verbs.attr;

/// Names one attribute in a queue pair change. Counterpart of `enum ibv_qp_attr_mask`; [#bit] is the C value.
///
/// ALTERNATE_PATH and PATH_MIGRATION_STATE are here for the table of legal steps only and cannot be set: automatic
/// path migration is a matter of InfiniBand links, and RoCE devices refuse it. Nor can CAPABILITIES: queues keep
/// their size.
public enum QueuePairAttribute {
    STATE(1),
    CURRENT_STATE(1 << 1),
    SQD_NOTIFY(1 << 2),
    ACCESS(1 << 3),
    PKEY_INDEX(1 << 4),
    PORT(1 << 5),
    QKEY(1 << 6),
    ADDRESS_VECTOR(1 << 7),
    PATH_MTU(1 << 8),
    TIMEOUT(1 << 9),
    RETRY_COUNT(1 << 10),
    RNR_RETRY(1 << 11),
    RECEIVE_PSN(1 << 12),
    MAX_READ_ATOMIC(1 << 13),
    ALTERNATE_PATH(1 << 14),
    MIN_RNR_TIMER(1 << 15),
    SEND_PSN(1 << 16),
    MAX_DESTINATION_READ_ATOMIC(1 << 17),
    PATH_MIGRATION_STATE(1 << 18),
    CAPABILITIES(1 << 19),
    DESTINATION_QP(1 << 20);

    private final int bit;

    QueuePairAttribute(int bit) {
        this.bit = bit;
    }

    /// The bit of this attribute in a set of attributes.
    public int bit() {
        return bit;
    }
}
