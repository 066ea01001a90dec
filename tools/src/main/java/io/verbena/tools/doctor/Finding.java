package io.verbena.tools.doctor;

import io.verbena.report.Json;
import java.util.Map;

/// A finding of a check.
///
/// - `subject`: what was checked, in a word or two
/// - `found`: the result
/// - `remedy`: a command to type, or what else to do; empty when nothing is to be done
record Finding(Level level, String subject, String found, String remedy) {
    static Finding ok(String subject, String found) {
        return new Finding(Level.OK, subject, found, "");
    }

    /// No problem; `hint` says how it could be better.
    static Finding ok(String subject, String found, String hint) {
        return new Finding(Level.OK, subject, found, hint);
    }

    static Finding warning(String subject, String found, String remedy) {
        return new Finding(Level.WARNING, subject, found, remedy);
    }

    static Finding problem(String subject, String found, String remedy) {
        return new Finding(Level.PROBLEM, subject, found, remedy);
    }

    Map<String, Object> json() {
        return Json.object("level", level.text(), "subject", subject, "found", found, "remedy", remedy);
    }
}
