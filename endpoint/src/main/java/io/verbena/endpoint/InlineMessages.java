package io.verbena.endpoint;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.SendRequest;
import java.lang.foreign.MemorySegment;

/// Puts messages together that are sent inline: the device has copied them when they are posted, so one piece of memory
/// is enough for all. Under the lock of the [Sender].
final class InlineMessages {
    private final Slab scratches;
    private final int scratch;
    private final MemoryRegion region;
    private final MemorySegment memory;
    private final long begin;
    private final Request quiet;
    private final Request signaled;

    /// @param scratches what the memory is taken from
    InlineMessages(QueuePair qp, Slab scratches) {
        this.scratches = scratches;
        scratch = scratches.take();
        region = scratches.region(scratch);
        memory = region.memory();
        begin = scratches.offset(scratch);
        quiet = new Request(qp.newSendRequest().send().inline(true).unsignaled());
        signaled = new Request(qp.newSendRequest().send().inline(true).signaled());
    }

    /// As long as the length of messages stays the same, the device need not check the request again.
    private final class Request {
        private final SendRequest request;
        private int length = -1;

        Request(SendRequest request) {
            this.request = request;
        }

        SendRequest of(int newLength) {
            if (newLength != length) {
                request.from(region, begin, MessageHeader.BYTES + (long) newLength);
                length = newLength;
            }
            return request;
        }
    }

    /// Returns the request that sends the message.
    SendRequest put(
            int kind,
            int flags,
            int credits,
            long number,
            MemorySegment from,
            long at,
            int length,
            boolean isSignaled) {
        MessageHeader.write(memory, begin, kind, flags, credits, length, number);
        MemorySegment.copy(from, at, memory, begin + MessageHeader.BYTES, length);
        return (isSignaled ? signaled : quiet).of(length);
    }

    /// Gives the memory back.
    void close() {
        scratches.give(scratch);
    }
}
