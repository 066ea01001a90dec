package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// WRITE there, WRITE back: nobody is told of the other's WRITE; each side watches the last bytes of its memory for
/// the number of the next message.
final class WriteRoundTrip implements Loop {
    private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();
    private static final int SIGNAL_EVERY = 16;

    private final Link link;
    private final boolean client;
    private final long messages;
    private final int pollEvery;
    private final MemorySegment memory;
    private final long outgoing;
    private final long incoming;
    private final Sends sends;

    /// @param pollEvery how often memory is looked at for each look at the completion queue. A software device that
    ///     takes packets from a socket works while it is polled; one that shares memory need not.
    WriteRoundTrip(Link link, boolean client, int size, long messages, int pollEvery) {
        this.link = link;
        this.client = client;
        this.messages = messages;
        this.pollEvery = pollEvery;
        memory = link.region.memory();
        outgoing = size - Long.BYTES;
        incoming = link.receiveAt + size - Long.BYTES;
        NUMBER.setRelease(memory, incoming, 0L);
        sends = new Sends(
                link,
                SIGNAL_EVERY,
                messages,
                request -> request.write(link.peerReceiveAddress(), link.peerKey())
                        .from(link.region, 0, size)
                        .inline(size <= Link.INLINE));
    }

    @Override
    public void run(Samples samples) {
        if (client) {
            samples.begin();
            for (long n = 1; n <= messages; n++) {
                write(n);
                samples.record();
                await(n);
                samples.endRoundTrip();
            }
            samples.end();
        } else {
            for (long n = 1; n <= messages; n++) {
                await(n);
                write(n);
            }
        }
        sends.awaitAll();
    }

    private void write(long number) {
        memory.set(ValueLayout.JAVA_LONG, outgoing, number);
        sends.postNext();
    }

    private void await(long number) {
        for (int look = 1; (long) NUMBER.getAcquire(memory, incoming) != number; look++) {
            if (look == pollEvery) {
                link.poll();
                look = 0;
            }
            Thread.onSpinWait();
        }
    }
}
