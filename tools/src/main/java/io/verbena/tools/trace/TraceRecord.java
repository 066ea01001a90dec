package io.verbena.tools.trace;

import java.util.Map;

/// One line of a trace.
///
/// - `timeNs`: nanoseconds since 1970
/// - `verb`: what C calls it, such as `ibv_post_send` or `RDMA_CM_EVENT_ESTABLISHED`
/// - `text`: the values that matter, for people; `details`: the same for programs
public record TraceRecord(
        long timeNs, String thread, Kind kind, String verb, String text, Map<String, Object> details) {

    /// Where a line comes from.
    public enum Kind {
        /// The program asks.
        CALL,
        /// What it asked was refused.
        FAILURE,
        /// A work request has ended.
        COMPLETION,
        /// Something happened.
        EVENT;

        /// Whether it comes from the device to the program, not the other way round.
        public boolean isNews() {
            return this != CALL;
        }
    }
}
