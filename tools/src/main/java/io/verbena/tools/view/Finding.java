package io.verbena.tools.view;

import java.util.List;

/// Something that a reader should know: what happened, the facts that show it, why, what to do, and the events that led
/// to it.
///
/// @param title one plain sentence that names the cause, where the files tell it
/// @param remedy empty when the explanation says it, or when there is nothing to do
record Finding(
        Level level,
        String title,
        List<Fact> facts,
        String explanation,
        String remedy,
        ViewEvent event,
        List<Step> steps) {
    /// @param name `request`, `status`, `on the wire`, ...
    record Fact(String name, String value) {}

    /// @param why the event matters
    record Step(ViewEvent event, String why) {}

    static Fact fact(String name, String value) {
        return new Fact(name, value);
    }

    /// One that has no facts besides its event.
    static Finding of(Level level, String title, String explanation, ViewEvent event, List<Step> steps) {
        return new Finding(level, title, List.of(), explanation, "", event, steps);
    }
}
