package io.verbena.tools.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// WRITE ping-pong: a WRITE makes no completion at the target, so each side polls the last byte of its receive area for
/// the number of the next message. The server begins.
final class WriteLatency extends LatencyLoop {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final boolean client;
    private final MemorySegment memory;
    private long outgoing;
    private long incoming;

    WriteLatency(PerfEndpoint endpoint, PeerWatch watch, boolean client) {
        super(endpoint, watch, true);
        this.client = client;
        this.memory = endpoint.buffer().memory();
    }

    /// A byte that is beyond shorter messages keeps its first value, which is no message number.
    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        BufferLayout layout = endpoint.layout();
        outgoing = layout.sendOffset(0) + phase.size() - 1;
        incoming = layout.receiveOffset(0) + phase.size() - 1;
    }

    @Override
    boolean turn(long n, Phase phase, long start) {
        return client ? awaitAndWrite(n, phase, start) : writeAndAwait(n, phase, start);
    }

    private boolean awaitAndWrite(long n, Phase phase, long start) {
        if (!awaitByte((byte) n, phase, start)) {
            return false;
        }
        long now = n == 1 ? samples.beginRoundTrip() : samples.endRoundTrip();
        if (!isInTime(phase, start, now)) {
            return false;
        }
        write((byte) n);
        samples.record(); // now, while the bytes travel
        awaitSend(n);
        return true;
    }

    private boolean writeAndAwait(long n, Phase phase, long start) {
        write((byte) n);
        awaitSend(n);
        return awaitByte((byte) n, phase, start);
    }

    private void write(byte number) {
        memory.set(ValueLayout.JAVA_BYTE, outgoing, number);
        post(queuePair);
    }

    private boolean awaitByte(byte number, Phase phase, long start) {
        while ((byte) BYTE.getAcquire(memory, incoming) != number) {
            // nothing completes here, but polling drives a software device, and shows errors
            if (!pollSends(1) && isOver(phase, start)) {
                return false;
            }
        }
        watch.progress();
        return true;
    }
}
