package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import org.junit.jupiter.api.function.Executable;

/// Assertions about the errors of this package.
final class Refusals {
    private Refusals() {}

    /// A semicolon separates cause and remedy.
    static RdmaException assertRefused(Errno errno, Executable call) {
        RdmaException refusal = assertThrows(RdmaException.class, call);
        assertEquals(errno, refusal.errno(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("; "), refusal.getMessage());
        return refusal;
    }
}
