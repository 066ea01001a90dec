package io.verbena.tools.perf;

import io.verbena.tools.perf.MeasuringLoop.Phase;
import io.verbena.tools.perf.PhaseResult.PeerReport;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/// The phases between two Verbena sides, the same in every test: the client announces the step, both say READY, run,
/// say DONE, and exchange their results. First come rounds of warm-up, then one phase for each size, then END.
///
/// A warm-up round is by count or by time, as the measurement is: a branch that was not taken before would deoptimize
/// the compiled code in the middle of the measurement.
final class VerbenaPhases {
    private static final int READY_BYTES = 2 * Integer.BYTES + Long.BYTES;
    private static final int DONE_BYTES = Long.BYTES;
    private static final int REPORT_BYTES = 4 * Long.BYTES;
    private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int ROUND_MESSAGES = 1000;
    /// Few enough for the buffers of a peer that is not scheduled just now: a lost message would end the run.
    private static final int UNRELIABLE_ROUND_MESSAGES = 64;

    private static final long ROUND_BYTES = 1 << 26;

    /// The next step; the ordinal is sent.
    private enum Step {
        WARM_UP,
        MEASURE,
        END
    }

    private final PerfParameters parameters;
    private final PeerChannel channel;
    private final BufferVerifier verifier;
    private final SessionSettings settings;
    private final PhaseRunner phases;
    private boolean doneSaid;

    VerbenaPhases(PerfEndpoint endpoint, PhaseRunner phases) {
        this.parameters = phases.parameters();
        this.channel = phases.channel();
        this.verifier = new BufferVerifier(endpoint, channel.isClient());
        this.settings = phases.settings();
        this.phases = phases;
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

    /// Makes everything that must be ready before the peer begins.
    private Phase prepare(Step step, int size, long iterations) {
        long nanoseconds = step == Step.MEASURE ? TimeUnit.SECONDS.toNanos(parameters.seconds()) : ROUND_NS;
        boolean withPeak = settings.peak() && PeakWindow.isFound(parameters);
        doneSaid = false;
        Phase phase = phases.prepare(size, iterations, nanoseconds, withPeak, this::sayDone);
        verifier.prepare(size, parameters.verify() && step == Step.MEASURE);
        return phase;
    }

    private void run(Phase phase, boolean counts) {
        PhaseResult result = phases.run(phase, counts);
        done();
        long wrong = parameters.verify() && counts ? verifier.firstWrongByte(phase) : BufferVerifier.ALL_RIGHT;
        Report peer = exchange(result, wrong);
        if (counts) {
            phases.report(result, parameters.bidirectional() ? peer.bandwidth() : null);
        }
        requireRight(phase, wrong, "here");
        requireRight(phase, peer.wrong, "at the peer");
    }

    /// The server of a test in one direction is done when the client is. Else each side says so when it has sent
    /// everything.
    private void done() {
        if (channel.isClient() || parameters.bidirectional()) {
            sayDone();
        }
        channel.receiveAfterRun(DONE_BYTES, "DONE", parameters.bidirectional());
        sayDone();
    }

    private void sayDone() {
        if (!doneSaid) {
            doneSaid = true;
            channel.send(new byte[DONE_BYTES]);
        }
    }

    private record Report(PeerReport bandwidth, long wrong) {}

    private Report exchange(PhaseResult own, long wrong) {
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
        if (wrong != BufferVerifier.ALL_RIGHT) {
            throw new ProgramException("data wrong " + where + ": of messages with " + phase.size()
                    + " bytes, the byte at " + wrong + " of the buffer differs from what was sent");
        }
    }
}
