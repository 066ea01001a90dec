package io.verbena.sockets.protocol;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// Has memory for a connection, or none, as a test says.
final class ScarceMemory implements MemorySource {
    boolean hasNone;
    int asked;
    RdmaException told;

    @Override
    public RegisteredMemory allocate(long bytes) {
        asked++;
        if (hasNone) {
            throw new RdmaException("allocate " + bytes + " bytes", Errno.ENOMEM, "no memory");
        }
        return new HeapMemory(bytes);
    }

    @Override
    public void onMissing(RdmaException reason) {
        told = reason;
    }
}
