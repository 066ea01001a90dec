package io.verbena.tools.perf;

import io.verbena.tools.perf.Loop.Phase;
import io.verbena.tools.perf.Result.PeerReport;
import io.verbena.tools.program.ProgramException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/// The measuring between two Verbena sides. Each phase, the warm-up first and then one for each size, goes alike in
/// every
/// test: both say READY, run, say DONE, and tell each other what they have.
final class VerbenaPhases {
    private static final int READY_BYTES = 8;
    private static final int DONE_BYTES = 8;
    private static final int REPORT_BYTES = 5 * Long.BYTES;

    private final PerfParameters parameters;
    private final PeerChannel channel;
    private final Loop loop;
    private final Contents contents;
    private final SessionSettings settings;
    private final Measuring measuring;
    private int number;
    private boolean doneSaid;

    VerbenaPhases(
            PerfParameters parameters,
            PeerChannel channel,
            Endpoint endpoint,
            Loop loop,
            SessionSettings settings,
            Measuring measuring) {
        this.parameters = parameters;
        this.channel = channel;
        this.loop = loop;
        this.contents = new Contents(endpoint, channel.isClient());
        this.settings = settings;
        this.measuring = measuring;
    }

    void run() {
        if (parameters.warmUp()) {
            run(newPhase(parameters.sizes().getFirst(), 0, settings.warmUp().toNanos()), false);
        }
        for (int size : parameters.sizes()) {
            long iterations = parameters.byDuration() ? 0 : parameters.iterations();
            run(newPhase(size, iterations, TimeUnit.SECONDS.toNanos(parameters.seconds())), true);
        }
    }

    private Phase newPhase(int size, long iterations, long nanoseconds) {
        boolean peerEnds = !channel.isClient() && !parameters.bidirectional();
        return new Phase(size, iterations, nanoseconds, peerEnds, settings.peak(), this::sayDone);
    }

    private void run(Phase phase, boolean counts) {
        number++;
        doneSaid = false;
        loop.prepare(phase);
        contents.prepare(phase.size(), parameters.verify() && counts);
        ready(phase);
        Result result = measuring.run(phase, counts);
        done();
        long wrong = parameters.verify() && counts ? contents.firstWrong(phase) : Contents.ALL_RIGHT;
        Report peer = exchange(result, wrong);
        if (counts) {
            measuring.tell(result, parameters.bidirectional() ? peer.bandwidth() : null);
        }
        requireRight(phase, wrong, "here");
        requireRight(phase, peer.wrong, "at the peer");
    }

    private void ready(Phase phase) {
        byte[] mine = ByteBuffer.allocate(READY_BYTES)
                .putInt(number)
                .putInt(phase.size())
                .array();
        ByteBuffer theirs = ByteBuffer.wrap(channel.exchange(mine, READY_BYTES, "READY"));
        if (theirs.getInt() != number || theirs.getInt() != phase.size()) {
            throw new ProgramException("the peer is ready for another phase than number " + number
                    + " with messages of " + phase.size() + " bytes; are both sides of one version of Verbena?");
        }
    }

    /// The server of a one-way test is done when the client is; else each says so when it has sent everything.
    private void done() {
        if (channel.isClient() || parameters.bidirectional()) {
            sayDone();
        }
        channel.receivePatiently(DONE_BYTES, "DONE");
        sayDone();
    }

    private void sayDone() {
        if (!doneSaid) {
            doneSaid = true;
            channel.send(ByteBuffer.allocate(DONE_BYTES).putLong(number).array());
        }
    }

    private record Report(PeerReport bandwidth, long wrong) {}

    private Report exchange(Result own, long wrong) {
        byte[] mine = ByteBuffer.allocate(REPORT_BYTES)
                .putLong(own.messages())
                .putDouble(own.peakBytesPerSecond())
                .putDouble(own.averageBytesPerSecond())
                .putDouble(own.messagesPerSecond())
                .putLong(wrong)
                .array();
        ByteBuffer theirs = ByteBuffer.wrap(channel.exchange(mine, REPORT_BYTES, "report"));
        theirs.getLong();
        var bandwidth = new PeerReport(theirs.getDouble(), theirs.getDouble(), theirs.getDouble());
        return new Report(bandwidth, theirs.getLong());
    }

    private static void requireRight(Phase phase, long wrong, String where) {
        if (wrong != Contents.ALL_RIGHT) {
            throw new ProgramException("data wrong " + where + ": of messages with " + phase.size()
                    + " bytes, the byte at " + wrong + " of the buffer differs from what was sent");
        }
    }
}
