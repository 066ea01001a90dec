package io.verbena.tools.view;

import java.util.List;

/// Why a request failed.
///
/// @param brief for the title; empty when the files do not tell
/// @param facts that show it
/// @param explanation what it means
/// @param remedy what to do; empty when the explanation says it
/// @param steps the events that show it
record Reason(String brief, List<Finding.Fact> facts, String explanation, String remedy, List<Finding.Step> steps) {
    /// What a status means, where the files do not tell more.
    static Reason general(String explanation) {
        return new Reason("", List.of(), explanation, "", List.of());
    }
}
