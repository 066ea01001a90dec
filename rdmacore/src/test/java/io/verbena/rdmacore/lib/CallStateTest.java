package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.verbs.Errno;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class CallStateTest {
    private final MemorySegment state = CallState.mine();

    @Test
    void shouldTellTheErrorNumberOfAFailedCall() {
        state.set(JAVA_INT, 0, Errno.EINVAL.number());
        assertEquals(-Errno.EINVAL.number(), CallState.result(state, -1));
        assertEquals(-Errno.EINVAL.number(), CallState.pointer(state, 0));
        assertEquals(3, CallState.result(state, 3));
        assertEquals(0x1000, CallState.pointer(state, 0x1000));
    }

    @Test
    void shouldNotTakeAFailedCallWithoutErrorNumberForSuccess() {
        state.set(JAVA_INT, 0, 0);
        assertEquals(-Errno.EIO.number(), CallState.result(state, -1));
        assertEquals(-Errno.EIO.number(), CallState.pointer(state, 0));
    }
}
