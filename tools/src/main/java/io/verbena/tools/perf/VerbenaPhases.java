package io.verbena.tools.perf;

import io.verbena.tools.perf.Loop.Phase;
import io.verbena.tools.perf.Result.PeerReport;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/// The measuring between two Verbena sides. Each phase goes alike in every test: the client says what comes,
/// both say READY, run, say DONE, and tell each other what they have. First come rounds of warm-up, then one
/// phase for each size, then the END.
///
/// The rounds of the warm-up do what the measurement does, by count or by time as it does: compiled code that
/// meets a branch it has not seen before is thrown away, just when it matters.
final class VerbenaPhases {
    private static final int READY_BYTES = 2 * Integer.BYTES + Long.BYTES;
    private static final int DONE_BYTES = Long.BYTES;
    private static final int REPORT_BYTES = 4 * Long.BYTES;
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int ROUND_MESSAGES = 1000;
    /// Few enough to find room at a peer that has no time just now: what is lost would end the run.
    private static final int UNRELIABLE_ROUND_MESSAGES = 64;

    private static final long ROUND_BYTES = 1 << 26;

    /// What comes next; the ordinals travel.
    private enum Step {
        WARM_UP,
        MEASURE,
        END
    }

    private final PerfParameters parameters;
    private final PeerChannel channel;
    private final Loop loop;
    private final Contents contents;
    private final SessionSettings settings;
    private final Measuring measuring;
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
        if (channel.isClient()) {
            lead();
        } else {
            follow();
        }
    }

    private void lead() {
        long start = System.nanoTime();
        while (parameters.warmUp()
                && System.nanoTime() - start < settings.warmUp().toNanos()) {
            int size = parameters.sizes().getFirst();
            lead(Step.WARM_UP, size, parameters.byDuration() ? 0 : roundMessages(size));
        }
        if (!settings.warmUpOnly()) {
            for (int size : parameters.sizes()) {
                lead(Step.MEASURE, size, parameters.byDuration() ? 0 : parameters.iterations());
            }
        }
        channel.send(ready(Step.END, 0, 0));
    }

    private long roundMessages(int size) {
        int messages = parameters.transport() == QueuePairType.RC ? ROUND_MESSAGES : UNRELIABLE_ROUND_MESSAGES;
        long most = Math.min(messages, Math.max(1, ROUND_BYTES / size));
        int list = parameters.postList();
        return (most + list - 1) / list * list;
    }

    private void lead(Step step, int size, long iterations) {
        Phase phase = prepare(step, size, iterations);
        byte[] ready = ready(step, size, iterations);
        channel.send(ready);
        ByteBuffer answer = ByteBuffer.wrap(channel.receive(READY_BYTES, "READY"));
        if (!answer.equals(ByteBuffer.wrap(ready))) {
            throw new ProgramException(
                    "the server is ready for something else; are both sides of one version of Verbena?");
        }
        run(phase, step == Step.MEASURE);
    }

    private void follow() {
        while (true) {
            byte[] asked = channel.receive(READY_BYTES, "READY");
            ByteBuffer ready = ByteBuffer.wrap(asked);
            int step = ready.getInt();
            int size = ready.getInt();
            long iterations = ready.getLong();
            if (step == Step.END.ordinal()) {
                return;
            }
            if (step < 0 || step > Step.END.ordinal() || !parameters.sizes().contains(size) || iterations < 0) {
                throw new ProgramException("the client asks for step " + step + " with " + iterations + " messages of "
                        + size + " bytes, which its parameters do not have");
            }
            Step known = Step.values()[step];
            Phase phase = prepare(known, size, iterations);
            channel.send(asked);
            run(phase, known == Step.MEASURE);
        }
    }

    private static byte[] ready(Step step, int size, long iterations) {
        return ByteBuffer.allocate(READY_BYTES)
                .putInt(step.ordinal())
                .putInt(size)
                .putLong(iterations)
                .array();
    }

    /// Everything that must be there before the peer begins.
    private Phase prepare(Step step, int size, long iterations) {
        boolean peerEnds = !channel.isClient() && !parameters.bidirectional();
        long nanoseconds = step == Step.MEASURE ? TimeUnit.SECONDS.toNanos(parameters.seconds()) : ROUND_NS;
        boolean withPeak = settings.peak() && PeakWindow.isFound(parameters);
        var phase = new Phase(size, iterations, nanoseconds, peerEnds, withPeak, this::sayDone);
        doneSaid = false;
        loop.prepare(phase);
        contents.prepare(size, parameters.verify() && step == Step.MEASURE);
        return phase;
    }

    private void run(Phase phase, boolean counts) {
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

    /// The server of a one-way test is done when the client is; else each says so when it has sent everything.
    private void done() {
        if (channel.isClient() || parameters.bidirectional()) {
            sayDone();
        }
        if (channel.isClient() && !parameters.bidirectional()) {
            channel.receiveAfterRun(DONE_BYTES, "DONE");
        } else {
            channel.receivePatiently(DONE_BYTES, "DONE");
        }
        sayDone();
    }

    private void sayDone() {
        if (!doneSaid) {
            doneSaid = true;
            channel.send(new byte[DONE_BYTES]);
        }
    }

    private record Report(PeerReport bandwidth, long wrong) {}

    private Report exchange(Result own, long wrong) {
        byte[] mine = ByteBuffer.allocate(REPORT_BYTES)
                .putDouble(own.peakBytesPerSecond())
                .putDouble(own.averageBytesPerSecond())
                .putDouble(own.messagesPerSecond())
                .putLong(wrong)
                .array();
        ByteBuffer theirs = ByteBuffer.wrap(channel.exchange(mine, REPORT_BYTES, "report"));
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
