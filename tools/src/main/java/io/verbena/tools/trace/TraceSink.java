package io.verbena.tools.trace;

/// Takes the lines of a trace, from any thread, in the order in which they happen.
@FunctionalInterface
public interface TraceSink {
    void accept(TraceRecord record);

    /// A sink that passes every line to both.
    default TraceSink and(TraceSink other) {
        return record -> {
            accept(record);
            other.accept(record);
        };
    }
}
