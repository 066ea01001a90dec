package io.verbena.tools.rping;

import io.verbena.tools.program.Result;
import java.util.Map;

/// The result of one connection, filled in while it runs.
final class RpingResult extends Result {
    private final boolean validated;
    private final long startNs = System.nanoTime();
    private long pings;
    private long bytes;

    RpingResult(String role, boolean validated) {
        super(role);
        this.validated = validated;
    }

    /// `size` bytes made a round trip.
    void pinged(long size) {
        pings++;
        bytes += size;
    }

    long pings() {
        return pings;
    }

    @Override
    public Map<String, Object> json() {
        put("pings", pings)
                .put("bytes", bytes)
                .put("validated", validated && !hasFailed())
                .put("seconds", (System.nanoTime() - startNs) / 1e9);
        return super.json();
    }
}
