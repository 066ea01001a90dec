package io.verbena.verbs;

import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import java.util.Objects;
import java.util.Set;

/// What a queue pair is made of. Counterpart of `struct ibv_qp_init_attr`.
///
/// ```java
/// QueuePairOptions options = QueuePairOptions.rc(cq).sendRequests(256).inlineBytes(64);
/// ```
public record QueuePairOptions(
        QueuePairType type,
        CompletionQueue sendCq,
        CompletionQueue receiveCq,
        SharedReceiveQueue sharedReceiveQueue,
        QueuePairCapabilities capabilities,
        boolean signalAll,
        Set<Operation> operations) {

    public QueuePairOptions {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(sendCq, "sendCq");
        Objects.requireNonNull(receiveCq, "receiveCq");
        Objects.requireNonNull(capabilities, "capabilities");
        operations = Set.copyOf(operations);
    }

    /// A reliable connection that reports to `cq`.
    public static QueuePairOptions rc(CompletionQueue cq) {
        return of(QueuePairType.RC, cq, cq);
    }

    /// An unreliable connection that reports to `cq`.
    public static QueuePairOptions uc(CompletionQueue cq) {
        return of(QueuePairType.UC, cq, cq);
    }

    /// A datagram queue pair that reports to `cq`. Its receives need 40 bytes more than the datagrams have: the
    /// message starts behind those, which hold where it came from, when its completion says so.
    public static QueuePairOptions ud(CompletionQueue cq) {
        return of(QueuePairType.UD, cq, cq);
    }

    public static QueuePairOptions of(QueuePairType type, CompletionQueue sendCq, CompletionQueue receiveCq) {
        return new QueuePairOptions(type, sendCq, receiveCq, null, QueuePairCapabilities.DEFAULT, false, Set.of());
    }

    public QueuePairOptions capabilities(QueuePairCapabilities capabilities) {
        return new QueuePairOptions(type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, operations);
    }

    public QueuePairOptions sharedReceiveQueue(SharedReceiveQueue queue) {
        return new QueuePairOptions(type, sendCq, receiveCq, queue, capabilities, signalAll, operations);
    }

    /// Every send request reports, whether it asked to or not. Counterpart of `sq_sig_all`.
    public QueuePairOptions signalAll(boolean signalAll) {
        return new QueuePairOptions(type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, operations);
    }

    /// The operations that will be posted, for drivers that must know beforehand (FLUSH and ATOMIC_WRITE on adapters);
    /// none named means the usual ones. Counterpart of `send_ops_flags`.
    public QueuePairOptions operations(Operation... operations) {
        return new QueuePairOptions(
                type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, Set.of(operations));
    }

    public QueuePairOptions sendRequests(int count) {
        return capabilities(capabilities.withSendRequests(count));
    }

    public QueuePairOptions receiveRequests(int count) {
        return capabilities(capabilities.withReceiveRequests(count));
    }

    public QueuePairOptions scatterGather(int send, int receive) {
        return capabilities(capabilities.withScatterGather(send, receive));
    }

    public QueuePairOptions inlineBytes(int bytes) {
        return capabilities(capabilities.withInlineBytes(bytes));
    }
}
