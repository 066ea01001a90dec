package io.verbena.rdmacore.rig;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import java.lang.foreign.MemorySegment;

/// A region that no device knows, with keys of the test's choice.
public record PlainRegion(MemorySegment memory, int lkey, int rkey) implements MemoryRegion {
    @Override
    public ProtectionDomain protectionDomain() {
        throw new UnsupportedOperationException("of no domain");
    }

    @Override
    public long address() {
        return memory.address();
    }

    @Override
    public long length() {
        return memory.byteSize();
    }

    @Override
    public int access() {
        return 0;
    }

    @Override
    public void close() {}
}
