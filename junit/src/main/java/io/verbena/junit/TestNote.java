package io.verbena.junit;

/// A note that is shown with a failure.
final class TestNote extends Exception {
    private static final long serialVersionUID = 1;

    TestNote(String text) {
        super(text, null, false, false);
    }
}
