package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionHandler;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.Arrays;

/// Messages there and back. A queue pair sends its next message when its last one is away and the peer's has
/// arrived; the client sends first. Over when as many messages were sent and received as asked for: with several
/// queue pairs, on all of them together.
///
/// Nothing is allocated while it runs.
final class PingPongLoop {
    /// Number of a send; a receive has that of the place its message arrives at.
    static final long SEND = 1L << 32;

    private static final int BATCH = 16;
    /// Empty polls of a spinning thread between two looks at the clock.
    private static final int SPINS = 1024;

    private static final int AWAITS_RECEIVE = 1;
    private static final int AWAITS_SEND = 2;

    private final PingPongSettings settings;
    private final Endpoint endpoint;
    private final CompletionQueue cq;
    private final Waiting waiting;
    private final Watch watch;
    private final Statistics statistics = new Statistics();
    private final QueuePair[] queuePairs;
    private final int[] numbers;
    private final int[] awaited;
    private final CompletionHandler onCompletion = this::onCompletion;

    private int sent;
    private int received;
    private String trouble;

    PingPongLoop(PingPongSettings settings, Endpoint endpoint, Watch watch) {
        this.settings = settings;
        this.endpoint = endpoint;
        cq = endpoint.completionQueue();
        waiting = settings.events() ? Waiting.notified(cq) : Waiting.spinning();
        this.watch = watch;
        queuePairs = endpoint.queuePairs().toArray(QueuePair[]::new);
        numbers = Arrays.stream(queuePairs).mapToInt(QueuePair::number).toArray();
        awaited = new int[queuePairs.length];
        Arrays.fill(awaited, AWAITS_RECEIVE);
    }

    void run() {
        statistics.start();
        try {
            if (!settings.isServer()) {
                for (int i = 0; i < queuePairs.length; i++) {
                    send(i);
                }
            }
            int empty = 0;
            while (sent < settings.iterations() || received < settings.iterations()) {
                waiting.arm(); // arm first, then look: nothing can come in between unseen
                if (cq.poll(onCompletion, BATCH) > 0) {
                    requireHealthy();
                } else {
                    if (waiting.sleeps() || ++empty % SPINS == 0) {
                        watch.look(sent, received);
                    }
                    waiting.rest();
                }
            }
        } finally {
            statistics.stop();
        }
    }

    private void onCompletion(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            onFailure(completion);
            return;
        }
        int index = indexOf(completion.qpNumber());
        boolean isSend = completion.wrId() == SEND;
        if (isSend) {
            sent++;
            statistics.sendCompleted();
            awaited[index] &= ~AWAITS_SEND;
        } else {
            received++;
            statistics.receiveCompleted();
            statistics.roundTrip();
            awaited[index] &= ~AWAITS_RECEIVE;
        }
        statistics.message(settings.size());
        if (sent < settings.iterations() && awaited[index] == 0) {
            send(index);
        }
        if (!isSend) {
            onMessage((int) completion.wrId(), completion.byteLength());
        }
    }

    private void send(int index) {
        awaited[index] = AWAITS_RECEIVE | AWAITS_SEND;
        if (!queuePairs[index].post(endpoint.send(index)) && trouble == null) {
            trouble = "the send queue is full although its send has completed";
        }
    }

    private void onMessage(int place, long bytes) {
        if (bytes != settings.receiveBytes() && trouble == null) {
            trouble = "a message of " + (bytes - settings.receiveOffset()) + " bytes came, expected " + settings.size()
                    + "; give both sides the same -s";
        }
        String wrong = endpoint.memory().lookAt(place);
        if (wrong != null && trouble == null) {
            trouble = "message " + received + ": " + wrong;
        }
        endpoint.post(endpoint.memory().receive(place));
    }

    private void onFailure(WorkCompletion completion) {
        CompletionStatus status = completion.status();
        if (trouble == null) {
            String what = completion.wrId() == SEND ? "SEND" : "RECEIVE";
            String hint = status == CompletionStatus.LOCAL_LENGTH_ERROR ? "; give both sides the same -s" : "";
            trouble = what + " failed: " + status.explain() + hint;
        }
    }

    private void requireHealthy() {
        if (trouble != null) {
            throw new ProgramException(trouble);
        }
    }

    private int indexOf(int number) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == number) {
                return i;
            }
        }
        throw new IllegalStateException("completion for QP 0x%06x, which is not ours".formatted(number));
    }

    int sent() {
        return sent;
    }

    int received() {
        return received;
    }

    /// Both ways done.
    int iterations() {
        return Math.min(settings.iterations(), Math.min(sent, received));
    }

    double seconds() {
        return statistics.elapsed().toNanos() / 1e9;
    }

    Statistics statistics() {
        return statistics;
    }
}
