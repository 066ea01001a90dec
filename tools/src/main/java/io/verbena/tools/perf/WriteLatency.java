package io.verbena.tools.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// WRITE ping-pong: a WRITE makes no completion at the target, so each side polls the last byte of its receive area for
/// the number of the next message. The server begins.
final class WriteLatency extends MeasuringLoop {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final boolean client;
    private final MeasuredQueuePair queuePair;
    private final MemorySegment memory;
    private final LatencySamples samples = new LatencySamples(true);
    private long outgoing;
    private long incoming;

    WriteLatency(PerfEndpoint endpoint, PeerWatch watch, boolean client) {
        super(endpoint, watch);
        this.client = client;
        this.queuePair = queuePairs[0];
        this.memory = endpoint.buffer().memory();
    }

    /// A byte that is beyond shorter messages keeps its first value, which is no message number.
    @Override
    void prepare(Phase phase) {
        super.prepare(phase);
        samples.restart(phase.size());
        BufferLayout layout = endpoint.layout();
        outgoing = layout.sendOffset(0) + phase.size() - 1;
        incoming = layout.receiveOffset(0) + phase.size() - 1;
    }

    @Override
    void run(Phase phase) {
        long start = samples.begin();
        long count = phase.messagesOrEndless();
        if (client) {
            for (long n = 1; n <= count && awaitAndWrite(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
        } else {
            for (long n = 1; n <= count && writeAndAwait(n, phase, start) && !isOverInTurn(n, phase, start); n++) {}
        }
    }

    private boolean awaitAndWrite(long n, Phase phase, long start) {
        if (!awaitByte((byte) n, phase, start)) {
            return false;
        }
        long now = n == 1 ? samples.beginRoundTrip() : samples.endRoundTrip();
        if (phase.isTimed() && now - start >= phase.nanoseconds()) {
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

    @Override
    PhaseResult result(boolean complete) {
        return samples.result(complete);
    }
}
