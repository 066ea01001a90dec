package io.verbena.tools.pingpong;

import io.verbena.tools.program.ProgramException;
import io.verbena.tools.program.Statistics;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.Arrays;

/// The ping-pong loop. A queue pair sends its next message when its last send is complete and the peer's message has
/// arrived; the client sends first. The loop ends when the given number of messages was sent and received: with several
/// queue pairs, on all of them together.
///
/// It allocates nothing.
final class PingPongLoop {
    /// Number of a send; a receive has the number of its slot, counted from 1.
    static final long SEND = 0;

    private static final int BATCH = 16;
    /// Polls of a spinning thread between two reads of the clock.
    private static final int SPINS = 1024;

    private static final int AWAITS_RECEIVE = 1;
    private static final int AWAITS_SEND = 2;

    private final PingPongSettings settings;
    private final PingPongEndpoint endpoint;
    private final CompletionQueue cq;
    private final Waiting waiting;
    private final PingPongWatch watch;
    private final Statistics statistics = new Statistics();
    private final QueuePair[] queuePairs;
    private final int[] numbers;
    private final int[] awaited;
    private final WorkCompletionHandler onCompletion = this::onCompletion;

    private int sent;
    private int received;
    private int steps;
    /// The first wrong message, and the first failed request.
    private String wrong;
    private String failure;

    PingPongLoop(PingPongSettings settings, PingPongEndpoint endpoint, PingPongWatch watch) {
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
            start();
            while (!isDone()) {
                step();
            }
        } finally {
            statistics.stop();
        }
    }

    /// The client sends first.
    void start() {
        for (int i = 0; i < queuePairs.length && !settings.isServer(); i++) {
            send(i);
        }
    }

    /// Takes completions, or waits a moment when there are none.
    void step() {
        waiting.arm(); // arm before polling: a completion in between is not missed
        boolean isEmpty = cq.poll(onCompletion, BATCH) == 0;
        requireHealthy();
        if (++steps % SPINS == 0 || isEmpty && waiting.sleeps()) {
            watch.check(sent, received);
        }
        if (isEmpty) {
            waiting.rest();
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
            onMessage((int) completion.wrId() - 1, completion.byteLength());
        }
    }

    private void send(int index) {
        awaited[index] = AWAITS_RECEIVE | AWAITS_SEND;
        if (!queuePairs[index].post(endpoint.send(index))) {
            throw new IllegalStateException("the send queue is full although its send has completed");
        }
    }

    private void onMessage(int slot, long bytes) {
        String trouble = bytes == settings.receiveBytes() ? endpoint.memory().check(slot) : otherSize(bytes);
        if (trouble != null && wrong == null) {
            wrong = "message " + received + ": " + trouble;
        }
        endpoint.post(endpoint.memory().receive(slot));
    }

    private String otherSize(long bytes) {
        return "it has " + (bytes - settings.receiveOffset()) + " bytes, expected were " + settings.size()
                + "; give both sides the same -s";
    }

    private void onFailure(WorkCompletion completion) {
        if (failure == null) {
            CompletionStatus status = completion.status();
            failure =
                    (completion.wrId() == SEND ? "SEND" : "RECEIVE") + " failed after " + sent + " sent and " + received
                            + " received of " + settings.iterations() + " messages: " + status.explain()
                            + (status == CompletionStatus.LOCAL_LENGTH_ERROR ? "; give both sides the same -s" : "");
        }
    }

    boolean isDone() {
        return sent >= settings.iterations() && received >= settings.iterations();
    }

    /// A side that has all its messages ignores that the peer left: of several queue pairs some may have sent one more.
    private void requireHealthy() {
        if (wrong != null) {
            throw new ProgramException(wrong);
        }
        if (failure != null && !isDone()) {
            throw new ProgramException(failure);
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

    int received() {
        return received;
    }

    /// Messages completed in both directions.
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
