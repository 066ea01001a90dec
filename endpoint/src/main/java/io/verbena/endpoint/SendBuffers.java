package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.Arrays;

/// Registered buffers that messages are copied into until the peer has them. All connections of a hub share them. Safe
/// from any thread.
final class SendBuffers implements AutoCloseable {
    private final Slab slab;
    private volatile Buffer[] buffers = {};

    SendBuffers(ProtectionDomain pd, int bufferBytes) {
        slab = new Slab(pd, bufferBytes, Integer.MAX_VALUE); // the send queues bound them
    }

    int bufferBytes() {
        return slab.slotBytes();
    }

    /// A buffer that is the caller's.
    Buffer take() {
        int slot = slab.take();
        Buffer[] now = buffers;
        return slot < now.length && now[slot] != null ? now[slot] : make(slot);
    }

    private synchronized Buffer make(int slot) {
        if (slot >= buffers.length) {
            buffers = Arrays.copyOf(buffers, Math.max(2 * buffers.length, slot + 1));
        }
        buffers[slot] = new Buffer(slot, slab.region(slot), slab.offset(slot));
        return buffers[slot];
    }

    @Override
    public void close() {
        slab.close();
    }

    /// A buffer that goes back when the request that uses it is complete.
    final class Buffer implements SentRequest {
        private final int slot;
        private final MemoryRegion region;
        private final long offset;
        private SentRequest next;

        Buffer(int slot, MemoryRegion region, long offset) {
            this.slot = slot;
            this.region = region;
            this.offset = offset;
        }

        MemoryRegion region() {
            return region;
        }

        long offset() {
            return offset;
        }

        /// @param then what else to do when the request is complete; null for nothing
        Buffer then(SentRequest then) {
            next = then;
            return this;
        }

        @Override
        public void onCompleted(CompletionStatus status) {
            SentRequest then = next;
            giveBack();
            if (then != null) {
                then.onCompleted(status);
            }
        }

        void giveBack() {
            next = null;
            slab.give(slot);
        }
    }
}
