package io.verbena.tools.rping;

import io.verbena.tools.program.Result;
import io.verbena.tools.text.Json;
import io.verbena.verbs.cm.ConnectionId;
import java.util.Map;

/// What one connection came to. Filled in while it runs.
final class PingResult {
    private final String role;
    private final boolean validated;
    private final long startNs = System.nanoTime();
    private String device = "";
    private String local = "";
    private String peer = "";
    private long pings;
    private long bytes;
    private String error = "";

    PingResult(String role, boolean validated) {
        this.role = role;
        this.validated = validated;
    }

    void connected(ConnectionId id) {
        device = id.context().device().name();
        local = Result.text(id.localAddress());
        peer = Result.text(id.peerAddress());
    }

    /// `size` bytes went there and back.
    void pinged(long size) {
        pings++;
        bytes += size;
    }

    void failed(Exception reason) {
        error = String.valueOf(reason.getMessage());
    }

    String peer() {
        return peer;
    }

    long pings() {
        return pings;
    }

    Map<String, Object> json() {
        return Json.object(
                "role", role,
                "device", device,
                "local", local,
                "peer", peer,
                "pings", pings,
                "bytes", bytes,
                "validated", validated && error.isEmpty(),
                "seconds", (System.nanoTime() - startNs) / 1e9,
                "ok", error.isEmpty(),
                "error", error);
    }
}
