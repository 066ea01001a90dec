package io.verbena.tools.trace;

import io.verbena.tools.trace.TraceRecord.Kind;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.cm.CmEvent;
import java.util.Map;

/// Writes the lines of a trace, each with its time.
final class Recorder {
    private final TraceSink sink;
    private final TraceClock clock;

    Recorder(TraceSink sink, TraceClock clock) {
        this.sink = sink;
        this.clock = clock;
    }

    void write(Kind kind, String verb, Details details) {
        write(kind, verb, details.text(), details.values());
    }

    private synchronized void write(Kind kind, String verb, String text, Map<String, Object> values) {
        // under the lock, so that times never decrease from one line to the next
        sink.accept(new TraceRecord(clock.nowNs(), Thread.currentThread().getName(), kind, verb, text, values));
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
