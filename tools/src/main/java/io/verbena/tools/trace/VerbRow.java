package io.verbena.tools.trace;

/// A row of the table: the C name of a method of the API, when it is recorded, and how its values are shown.
record VerbRow(String name, When when, Show show) {
    /// When a call is recorded.
    enum When {
        /// Before the call, so that its effects come after it.
        BEFORE,
        /// After the call: the result matters.
        AFTER,
        /// After the call, if it found something.
        FOUND,
        /// As BEFORE, but not while the completion queue is still armed.
        ONCE
    }

    /// Adds the values of a call.
    @FunctionalInterface
    interface Show {
        void add(Details details, TracedCall call);
    }
}
