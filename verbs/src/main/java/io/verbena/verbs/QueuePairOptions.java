package io.verbena.verbs;

import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// The type, queues and sizes of a queue pair to be made. Counterpart of `struct ibv_qp_init_attr`.
///
/// ```java
/// QueuePairOptions options = QueuePairOptions.rc(cq).sendRequests(256).inlineBytes(64);
/// ```
///
/// A completion queue may be null for a queue pair of a connection id: the id then makes one of fitting size, and
/// closes it with the queue pair.
public record QueuePairOptions(
        QueuePairType type,
        CompletionQueue sendCq,
        CompletionQueue receiveCq,
        SharedReceiveQueue sharedReceiveQueue,
        QueuePairCapabilities capabilities,
        boolean signalAll,
        Set<Operation> operations) {

    /// Requires a type and capabilities; the queues may be null.
    public QueuePairOptions {
        Objects.requireNonNull(type, "the type is null");
        Objects.requireNonNull(capabilities, "the capabilities are null");
        for (Operation operation : Objects.requireNonNull(operations, "the operations are null")) {
            Objects.requireNonNull(operation, "an operation is null");
        }
        operations = Set.copyOf(operations);
    }

    /// A reliable connection whose connection id makes the completion queues: one for sends and one for receives, each
    /// with a completion channel.
    ///
    /// ```java
    /// QueuePair qp = id.createQueuePair(QueuePairOptions.rc());
    /// qp.receiveCq().poll(onMessage, 1, Duration.ofSeconds(2));
    /// ```
    public static QueuePairOptions rc() {
        return of(QueuePairType.RC, null, null);
    }

    /// As [#rc()], for datagrams.
    public static QueuePairOptions ud() {
        return of(QueuePairType.UD, null, null);
    }

    /// A reliable connection that reports to `cq`.
    public static QueuePairOptions rc(CompletionQueue cq) {
        return reporting(QueuePairType.RC, cq);
    }

    /// An unreliable connection that reports to `cq`.
    public static QueuePairOptions uc(CompletionQueue cq) {
        return reporting(QueuePairType.UC, cq);
    }

    /// A datagram queue pair that reports to `cq`. Its receives need 40 bytes more than the datagrams have: the message
    /// starts after these 40 bytes, which hold the sender's IP header when the completion says so.
    public static QueuePairOptions ud(CompletionQueue cq) {
        return reporting(QueuePairType.UD, cq);
    }

    private static QueuePairOptions reporting(QueuePairType type, CompletionQueue cq) {
        Objects.requireNonNull(cq, "the completion queue is null");
        return of(type, cq, cq);
    }

    /// A queue pair of any type, with default sizes.
    public static QueuePairOptions of(QueuePairType type, CompletionQueue sendCq, CompletionQueue receiveCq) {
        return new QueuePairOptions(type, sendCq, receiveCq, null, QueuePairCapabilities.DEFAULT, false, Set.of());
    }

    /// The same with other completion queues; null for one that the connection id makes.
    public QueuePairOptions completionQueues(CompletionQueue sendCq, CompletionQueue receiveCq) {
        return new QueuePairOptions(type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, operations);
    }

    /// The same with other sizes of the queues.
    public QueuePairOptions capabilities(QueuePairCapabilities capabilities) {
        return new QueuePairOptions(type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, operations);
    }

    /// The same with receives taken from a shared queue.
    public QueuePairOptions sharedReceiveQueue(SharedReceiveQueue queue) {
        return new QueuePairOptions(type, sendCq, receiveCq, queue, capabilities, signalAll, operations);
    }

    /// Every send request is signaled. Counterpart of `sq_sig_all`.
    public QueuePairOptions signalAll(boolean signalAll) {
        return new QueuePairOptions(type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, operations);
    }

    /// The operations that will be posted, for drivers that must know beforehand (FLUSH and ATOMIC_WRITE on adapters);
    /// none named means the usual ones. Counterpart of `send_ops_flags`.
    public QueuePairOptions operations(Operation... operations) {
        return new QueuePairOptions(
                type, sendCq, receiveCq, sharedReceiveQueue, capabilities, signalAll, setOf(operations));
    }

    private static Set<Operation> setOf(Operation... operations) {
        Set<Operation> set = EnumSet.noneOf(Operation.class);
        for (Operation operation : Objects.requireNonNull(operations, "the operations are null")) {
            set.add(Objects.requireNonNull(operation, "an operation is null"));
        }
        return set;
    }

    /// The same with room for so many send requests.
    public QueuePairOptions sendRequests(int count) {
        return capabilities(capabilities.withSendRequests(count));
    }

    /// The same with room for so many receives.
    public QueuePairOptions receiveRequests(int count) {
        return capabilities(capabilities.withReceiveRequests(count));
    }

    /// The same with room for so many slices in a send request and in a receive.
    public QueuePairOptions scatterGather(int send, int receive) {
        return capabilities(capabilities.withScatterGather(send, receive));
    }

    /// The same with room for so many bytes in an inline request.
    public QueuePairOptions inlineBytes(int bytes) {
        return capabilities(capabilities.withInlineBytes(bytes));
    }
}
