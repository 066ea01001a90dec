package io.verbena.endpoint;

import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.ArrayList;
import java.util.List;

/// Keeps what comes by a queue pair before its connection is ready: a server may send as soon as it has accepted, and
/// other connections of the hub are polled already. Of the owner of the hub.
final class EarlyCompletions implements Hub.Target {
    /// Of a receive, or of a SEND that the program posted before the owner of the hub passed this on.
    private record Early(long wrId, CompletionStatus status, long bytes) {}

    private final int qpNumber;
    private final List<Early> all = new ArrayList<>();

    EarlyCompletions(int qpNumber) {
        this.qpNumber = qpNumber;
    }

    @Override
    public int qpNumber() {
        return qpNumber;
    }

    @Override
    public void onCompletion(WorkCompletion completion) {
        all.add(new Early(completion.wrId(), completion.status(), completion.byteLength()));
    }

    @Override
    public void fail(RuntimeException reason) {
        throw reason;
    }

    void passTo(ConnectionLink link) {
        for (Early each : all) {
            try {
                link.arrivals().onCompletion(each.wrId, each.status, each.bytes);
            } catch (Throwable e) {
                link.loss().fail(EndpointEvents.asRuntimeException(e));
            }
        }
    }
}
