package io.verbena.tools.trace;

import io.verbena.tools.trace.TraceRecord.Kind;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.cm.CmEvent;
import java.time.Instant;

/// Writes the lines of a trace, each with its time.
final class Recorder {
    private final TraceSink sink;
    /// What to add to the JVM's time for nanoseconds since 1970: the system's clock, which may go backwards, is read
    /// once.
    private final long originNs;

    Recorder(TraceSink sink) {
        this.sink = sink;
        Instant now = Instant.now();
        originNs = now.getEpochSecond() * 1_000_000_000 + now.getNano() - System.nanoTime();
    }

    synchronized void write(Kind kind, String verb, Details details) {
        // under the lock, so that times never decrease from one line to the next
        long nowNs = originNs + System.nanoTime();
        sink.accept(
                new TraceRecord(nowNs, Thread.currentThread().getName(), kind, verb, details.text(), details.values()));
    }

    void event(CmEvent event, Wrappers names) {
        Details details = new Details();
        ConnectionVerbs.event(details, event, names);
        write(Kind.EVENT, event.type().toString(), details);
    }

    /// The program's handler, with a trace line before each completion.
    WorkCompletionHandler onCompletion(WorkCompletionHandler handler) {
        return completion -> {
            Details details = new Details();
            QueueVerbs.completion(details, completion);
            write(Kind.COMPLETION, "completion", details);
            handler.onCompletion(completion);
        };
    }
}
