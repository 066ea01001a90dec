package io.verbena.tools.trace;

import java.util.Map;

/// One line of a trace.
///
/// - `timeNs`: nanoseconds since 1970
/// - `verb`: the name in C, such as `ibv_post_send` or `RDMA_CM_EVENT_ESTABLISHED`
/// - `text`: the values that matter, for people; `details`: the same for programs
public record TraceRecord(
        long timeNs, String thread, Kind kind, String verb, String text, Map<String, Object> details) {

    /// The kind of a line.
    public enum Kind {
        /// The program calls a verb.
        CALL,
        /// A call failed.
        FAILURE,
        /// A work request completed.
        COMPLETION,
        /// An event arrived.
        EVENT;

        /// Whether the line is a message from the device to the program.
        public boolean isFromDevice() {
            return this != CALL;
        }
    }
}
