package io.verbena.tools.doctor;

/// An error message in its parts. Verbena's messages have the cause, then the remedy after a semicolon, then the error
/// number in brackets.
///
/// - `remedy`: empty when the message has none
record ErrorText(String cause, String remedy) {
    static ErrorText of(String message) {
        String[] parts = message.replaceFirst(" \\([A-Z]+, [^)]*\\)$", "").split("; ", 2);
        return new ErrorText(parts[0], parts.length == 1 ? "" : parts[1]);
    }

    String remedyOr(String other) {
        return remedy.isEmpty() ? other : remedy;
    }
}
