package io.verbena.bench.peer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class AeronPeerTest {
    @Test
    void shouldRemoveOnlyFoldersOfItsOwnAndOfProcessesThatAreGone() {
        long own = ProcessHandle.current().pid();
        assertTrue(AeronPeer.isRemovable("verbena-bench-aeron-" + own + "-ipc"));
        assertTrue(AeronPeer.isRemovable("verbena-bench-aeron-9999999999-udp-client"));
        assertFalse(AeronPeer.isRemovable("verbena-bench-aeron-1-ipc"), "process 1 lives");
        assertFalse(AeronPeer.isRemovable("verbena-bench-aeron-other"));
    }
}
