package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;

/// Calls that must be refused.
public final class RefusedCall {
    private RefusedCall() {}

    /// Fails unless the call throws an [RdmaException] with that number and a sentence. A verb that the device does
    /// not offer passes through, so that the test is skipped.
    public static RdmaException with(Errno errno, String what, Runnable call) {
        try {
            call.run();
        } catch (UnsupportedVerbException e) {
            throw e;
        } catch (RdmaException e) {
            assertEquals(errno, e.errno(), () -> what + " was refused, but with: " + e.getMessage());
            return e;
        }
        return fail(what + " was to be refused with " + errno);
    }
}
