package io.verbena.verbs;

import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;

/// How one work request ended. When [#status] is not SUCCESS only wrId, status, qpNumber and vendorError are valid
/// (rule CQ-4). Counterpart of `struct ibv_wc`.
public interface WorkCompletion {
    /// The number that the caller gave the request.
    long wrId();

    /// Whether the request succeeded, and if not, what went wrong.
    CompletionStatus status();

    /// Whether [#status] is SUCCESS.
    default boolean isSuccess() {
        return status() == CompletionStatus.SUCCESS;
    }

    /// What kind of request it was.
    CompletionOpcode opcode();

    /// Bytes received or transferred; for datagrams including the 40 bytes of the GRH area.
    long byteLength();

    /// The number of the queue pair that the request was posted to.
    int qpNumber();

    /// Sender's queue pair, for datagrams.
    int sourceQp();

    /// Whether the peer sent immediate data: four bytes beside the message.
    boolean hasImmediate();

    /// The four bytes the peer sent, read as a big-endian number.
    int immediate();

    /// Whether the peer's SEND revoked a key of this side's.
    boolean hasInvalidatedKey();

    /// The key that the peer's SEND_WITH_INVALIDATE revoked.
    int invalidatedKey();

    /// Whether the buffer's first 40 bytes hold the sender's IP header.
    boolean hasGrh();

    /// The driver's own code for a failed request.
    int vendorError();

    /// Service level of a received datagram. InfiniBand only, like the next two; 0 on RoCE.
    default int serviceLevel() {
        return 0;
    }

    /// LID that a datagram came from.
    default int sourceLid() {
        return 0;
    }

    /// Low bits of the LID that a datagram came to. Counterpart of `dlid_path_bits`.
    default int pathBits() {
        return 0;
    }

    /// Index of the partition key of a received datagram.
    default int pkeyIndex() {
        return 0;
    }

    /// A copy that stays valid after the poll.
    default WorkCompletion copy() {
        return new CompletionCopy(
                wrId(),
                status(),
                opcode(),
                byteLength(),
                qpNumber(),
                sourceQp(),
                hasImmediate(),
                immediate(),
                hasInvalidatedKey(),
                invalidatedKey(),
                hasGrh(),
                vendorError(),
                serviceLevel(),
                sourceLid(),
                pathBits(),
                pkeyIndex());
    }
}
