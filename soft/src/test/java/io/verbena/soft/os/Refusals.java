package io.verbena.soft.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import org.junit.jupiter.api.function.Executable;

/// What the tests of this package expect of errors.
final class Refusals {
    private Refusals() {}

    /// Cause and remedy are parted by a semicolon.
    static RdmaException assertRefused(Errno errno, Executable call) {
        RdmaException refusal = assertThrows(RdmaException.class, call);
        assertEquals(errno, refusal.errno(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("; "), refusal.getMessage());
        return refusal;
    }
}
