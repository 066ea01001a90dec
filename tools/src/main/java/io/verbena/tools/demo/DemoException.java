package io.verbena.tools.demo;

/// Why the demo cannot go on, in one line for the user.
final class DemoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoException(String message) {
        super(message);
    }

    DemoException(String message, Throwable cause) {
        super(message, cause);
    }

    /// The message for the user about any error.
    static String oneLine(Throwable error) {
        String message = error.getMessage();
        boolean own = error instanceof DemoException || error instanceof io.verbena.verbs.RdmaException;
        String text = message == null || message.isBlank()
                ? error.getClass().getSimpleName()
                : own ? message : error.getClass().getSimpleName() + ": " + message;
        return text.strip().replaceAll("\\s*\\R\\s*", "; ").replace('\t', ' ');
    }
}
