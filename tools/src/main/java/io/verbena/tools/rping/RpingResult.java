package io.verbena.tools.rping;

import io.verbena.tools.program.Result;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Map;

/// The result of one connection, filled in while it runs.
final class RpingResult {
    private final Result result;
    private final boolean validated;
    private final long startNs = System.nanoTime();
    private long pings;
    private long bytes;
    private boolean failed;

    RpingResult(String role, boolean validated) {
        this.result = new Result(role);
        this.validated = validated;
    }

    void connected(ConnectionId id) {
        result.connected(id);
    }

    /// `size` bytes made a round trip.
    void pinged(long size) {
        pings++;
        bytes += size;
    }

    void failed(RuntimeException reason) {
        result.failed(reason);
        failed = !Result.isInterrupt(reason);
    }

    String peer() {
        return result.peer();
    }

    long pings() {
        return pings;
    }

    Map<String, Object> json() {
        return result.put("pings", pings)
                .put("bytes", bytes)
                .put("validated", validated && !failed)
                .put("seconds", (System.nanoTime() - startNs) / 1e9)
                .json();
    }
}
