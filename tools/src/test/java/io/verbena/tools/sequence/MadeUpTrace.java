package io.verbena.tools.sequence;

import io.verbena.report.Json;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceFile;
import io.verbena.tools.recording.TraceStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Writes the trace of a program that never ran.
final class MadeUpTrace {
    private final String role;
    private final List<String> lines = new ArrayList<>();

    MadeUpTrace(String role) {
        this.role = role;
    }

    MadeUpTrace call(long timeNs, String verb, Object... details) {
        return add(timeNs, "call", verb, details);
    }

    MadeUpTrace event(long timeNs, String name, Object... details) {
        return add(timeNs, "event", "RDMA_CM_EVENT_" + name, details);
    }

    MadeUpTrace send(long timeNs, int wrId, String operation, int bytes) {
        return call(timeNs, "ibv_post_send", "qp", 1, "wr_id", wrId, "operation", operation, "bytes", bytes);
    }

    MadeUpTrace completion(long timeNs, int wrId, String operation, int bytes) {
        return add(
                timeNs,
                "completion",
                "completion",
                "qp",
                1,
                "wr_id",
                wrId,
                "operation",
                operation,
                "bytes",
                bytes,
                "status",
                "SUCCESS");
    }

    private MadeUpTrace add(long timeNs, String kind, String verb, Object... details) {
        lines.add(Json.line(Json.object(
                "timeNs",
                timeNs,
                "role",
                role,
                "kind",
                kind,
                "verb",
                verb,
                "text",
                "",
                "details",
                Json.object(details))));
        return this;
    }

    Path writeTo(Path folder) throws IOException {
        return Files.write(folder.resolve(role + ".jsonl"), lines);
    }

    List<TraceStep> steps(Path folder, Side side) throws IOException {
        return TraceFile.read(writeTo(folder), side);
    }
}
