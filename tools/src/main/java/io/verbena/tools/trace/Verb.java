package io.verbena.tools.trace;

/// A row of the table: what C calls a method of the API, when it is told, and how its values are shown.
record Verb(String name, When when, Show show) {
    /// When a call is told.
    enum When {
        /// Before it is made, so that what it brings about comes after it.
        BEFORE,
        /// When it is done: the result is what matters.
        AFTER,
        /// When it found something; looking in vain is not told.
        FOUND,
        /// As BEFORE, once for each completion queue until something came in: arming an armed queue changes nothing.
        ONCE
    }

    /// Adds the values of a call.
    @FunctionalInterface
    interface Show {
        void add(Details details, Call call);
    }
}
