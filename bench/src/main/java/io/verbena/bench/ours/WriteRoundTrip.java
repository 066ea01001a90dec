package io.verbena.bench.ours;

import io.verbena.bench.pair.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// WRITE ping-pong: a WRITE makes no completion at the target, so each side polls the last bytes of its memory for the
/// number of the next message.
final class WriteRoundTrip implements RunLoop {
    private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();
    private static final int SIGNAL_EVERY = 16;

    private final MeasuredConnection connection;
    private final boolean client;
    private final long messages;
    private final int pollEvery;
    private final MemorySegment memory;
    private final long outgoing;
    private final long incoming;
    private final Sends sends;

    /// @param pollEvery polls of the memory for each poll of the completion queue. A software device that receives from
    /// a socket works only while it is polled; one with shared memory does not need it.
    WriteRoundTrip(MeasuredConnection connection, boolean client, int size, long messages, int pollEvery) {
        this.connection = connection;
        this.client = client;
        this.messages = messages;
        this.pollEvery = pollEvery;
        memory = connection.region.memory();
        outgoing = size - Long.BYTES;
        incoming = connection.receiveAt + size - Long.BYTES;
        NUMBER.setRelease(memory, incoming, 0L);
        sends = new Sends(
                connection,
                SIGNAL_EVERY,
                messages,
                request -> request.write(connection.peerReceiveAddress(), connection.peerKey())
                        .from(connection.region, 0, size)
                        .inline(size <= MeasuredConnection.INLINE));
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
        for (int polls = 1; (long) NUMBER.getAcquire(memory, incoming) != number; polls++) {
            if (polls == pollEvery) {
                connection.poll();
                polls = 0;
            }
            Thread.onSpinWait();
        }
    }
}
