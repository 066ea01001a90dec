package io.verbena.verbs.spi;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.EventChannel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// The outcomes of a synchronous id's calls, which it waits for on an event channel of its own.
final class SynchronousOutcomes {
    /// The connection, the kernel or a deadline ends every wait in time; this bound is for a busy host where they are
    /// late.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration FOR_EVER = Duration.ofDays(365);
    private static final String ACCEPT = "rdma_accept";

    /// Events that end a connection, or the attempt to make one.
    private static final Set<CmEventType> TERMINAL = EnumSet.of(
            CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR, CmEventType.DISCONNECTED);
    /// Events that end a wait. Others, such as TIMEWAIT_EXIT or an ESTABLISHED that no call waits for, are only noted.
    private static final Set<CmEventType> FAILURES = EnumSet.of(
            CmEventType.REJECTED,
            CmEventType.UNREACHABLE,
            CmEventType.CONNECT_ERROR,
            CmEventType.DISCONNECTED,
            CmEventType.ADDRESS_ERROR,
            CmEventType.ROUTE_ERROR,
            CmEventType.MULTICAST_ERROR,
            CmEventType.DEVICE_REMOVAL);

    private final EventChannel channel;
    private volatile CmEvent last;
    private volatile boolean isOver;

    /// @param channel on which only events of one id arrive: the id that all calls name
    SynchronousOutcomes(EventChannel channel) {
        this.channel = channel;
    }

    /// The event of the last call, or a later one that has arrived.
    CmEvent latest(ConnectionIdBase id) {
        // A listener's events are requests, which only awaitRequest takes.
        if (last != null && last.listener() != id && !id.isClosed()) {
            for (CmEvent next = channel.tryTake(); next != null; next = channel.tryTake()) {
                note(next);
            }
        }
        return last;
    }

    /// TIMEWAIT_EXIT always follows DISCONNECTED; a program that calls late must still see DISCONNECTED.
    private void note(CmEvent next) {
        if (next.type() == CmEventType.TIMEWAIT_EXIT) {
            return;
        }
        last = next;
        isOver |= TERMINAL.contains(next.type());
    }

    /// The id is that of a request.
    void begin(CmEvent request) {
        last = request;
    }

    /// A request to the id, which listens; null when the time is over.
    CmEvent awaitRequest(ConnectionIdBase id, Duration timeout) {
        CmEvent request = channel.await(timeout);
        if (request != null) {
            last = request;
            if (request.listener() != id) {
                throw new RdmaException("rdma_get_request", Errno.of(-request.status()), request.explain());
            }
        }
        return request;
    }

    void awaitAddress(ConnectionIdBase id, Duration timeout) {
        await(id, "rdma_resolve_addr", CmEventType.ADDRESS_RESOLVED, timeout);
    }

    void awaitRoute(ConnectionIdBase id, Duration timeout) {
        await(id, "rdma_resolve_route", CmEventType.ROUTE_RESOLVED, timeout);
    }

    /// Waits until the connection is established, or the peer has answered.
    ///
    /// @param isExternal whether the queue pair was made without the id
    void awaitConnection(ConnectionIdBase id, boolean isExternal) {
        await(id, "rdma_connect", isExternal ? CmEventType.CONNECT_RESPONSE : CmEventType.ESTABLISHED, id.timeout());
    }

    void awaitAccepted(ConnectionIdBase id) {
        await(id, ACCEPT, CmEventType.ESTABLISHED, id.timeout());
    }

    void awaitDisconnected(ConnectionIdBase id) {
        if (!isOver) {
            await(id, "rdma_disconnect", CmEventType.DISCONNECTED, id.timeout());
        }
    }

    void awaitGroup(ConnectionIdBase id) {
        await(id, "rdma_join_multicast", CmEventType.MULTICAST_JOIN, id.timeout());
    }

    /// @param timeout of the call, which has begun
    private void await(ConnectionIdBase id, String call, CmEventType wanted, Duration timeout) {
        long budgetNs = nanoseconds(timeout) + GRACE.toNanos();
        long startNs = id.nowNs();
        while (true) {
            long leftNs = budgetNs - (id.nowNs() - startNs);
            CmEvent next = channel.await(Duration.ofNanos(Math.max(0, leftNs)));
            if (next == null) {
                throw new RdmaException(
                        PeerText.verb(call, id.peerAddress()), Errno.ETIMEDOUT, "no outcome within " + timeout);
            }
            note(next);
            if (next.type() == wanted && isSuccess(next)) {
                return;
            }
            if (next.type() == wanted || FAILURES.contains(next.type())) {
                throw failure(id, call, next);
            }
        }
    }

    private static long nanoseconds(Duration timeout) {
        Objects.requireNonNull(timeout, "the timeout is null");
        return (timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER : timeout).toNanos();
    }

    /// A peer that is gone is disconnected, too. Whether one that does not answer is, is unknown.
    private static boolean isSuccess(CmEvent wanted) {
        return wanted.type() == CmEventType.DISCONNECTED
                ? wanted.status() != -Errno.ETIMEDOUT.number()
                : wanted.status() == 0;
    }

    private static RdmaException failure(ConnectionIdBase id, String call, CmEvent failed) {
        String verb = PeerText.verb(call, id.peerAddress());
        int status = failed.status();
        String explanation = failed.explanation();
        return switch (failed.type()) {
            case REJECTED -> rejected(call, verb, failed);
            case UNREACHABLE -> {
                boolean isRefused = status > 0 || status == -Errno.ECONNREFUSED.number();
                yield new RdmaException(verb, isRefused ? Errno.ECONNREFUSED : Errno.ETIMEDOUT, explanation);
            }
            case DISCONNECTED ->
                status == -Errno.ETIMEDOUT.number()
                        ? new RdmaException(verb, Errno.ETIMEDOUT, explanation)
                        : new RdmaException(verb, Errno.ECONNRESET, "the peer disconnected");
            default -> {
                RuntimeException known = id.failureReason();
                yield known instanceof RdmaException explained
                        ? explained
                        : new RdmaException(
                                verb, Math.abs(status), explanation.isEmpty() ? failed.explain() : explanation, known);
            }
        };
    }

    /// A request that was accepted is not refused any more: its sender went away.
    private static RdmaException rejected(String call, String verb, CmEvent failed) {
        String text = "reason " + failed.status() + ", " + failed.explanation();
        return call.equals(ACCEPT)
                ? new RdmaException(verb, Errno.ECONNRESET, "the peer gave up meanwhile: " + text)
                : new RdmaException(verb, Errno.ECONNREFUSED, "rejected: " + text);
    }
}
