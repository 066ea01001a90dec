package io.verbena.bench.run;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Guards a contestant: each call has a deadline, and a failure ends its turn, not the run. After a failure it is
/// restarted; after several it is out.
final class Entrant implements AutoCloseable {
    private static final int MOST_FAILURES = 3;

    private final Contestant contestant;
    private final Duration limit;
    private boolean open;
    private int failures;
    private String out = "";
    private String lastFailure = "";

    /// @param limit for each call, in addition to the time it is given
    Entrant(Contestant contestant, Duration limit) {
        this.contestant = contestant;
        this.limit = limit;
        contestant.missing().ifPresent(why -> out = why);
    }

    String name() {
        return contestant.name();
    }

    Contestant contestant() {
        return contestant;
    }

    /// Why the contestant is out; empty when it is not.
    String out() {
        return out;
    }

    boolean isIn() {
        return out.isEmpty();
    }

    /// Starts the contestant; true when it is running. One that cannot be started is out.
    boolean open() {
        if (!isIn() || open) {
            return isIn();
        }
        try {
            guarded("start", limit, () -> {
                contestant.open();
                return null;
            });
            open = true;
        } catch (IOException e) {
            contestant.close();
            out = e.getMessage();
        }
        return open;
    }

    void warmUp(Measurement measurement, Duration time) {
        attempt("warm-up of " + measurement, time, () -> {
            contestant.warmUp(measurement, time);
            return null;
        });
    }

    Optional<RunResult> run(Measurement measurement, Duration time) {
        return attempt(measurement.toString(), time, () -> contestant.run(measurement, time));
    }

    private <T> Optional<T> attempt(String what, Duration time, Callable<T> task) {
        if (!open()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(guarded(what, limit.plus(time), task));
        } catch (IOException e) {
            contestant.close();
            open = false;
            failures++;
            lastFailure = e.getMessage();
            if (failures >= MOST_FAILURES) {
                out = "failed " + failures + " times, last: " + e.getMessage();
            }
            return Optional.empty();
        }
    }

    /// The failures since the last call; empty when there were none.
    String takeFailure() {
        String failure = lastFailure;
        lastFailure = "";
        return failure;
    }

    /// Runs the task in a thread of its own, which is abandoned after the deadline: closing the contestant ends its
    /// wait.
    private <T> T guarded(String what, Duration time, Callable<T> task) throws IOException {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = Thread.ofPlatform().daemon().name(name()).start(future);
        try {
            return future.get(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            throw new IOException(name() + ", " + what + ": not done after " + time.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            String why = e.getCause().getMessage();
            throw new IOException(why == null ? e.getCause().toString() : why, e.getCause());
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        contestant.close();
        open = false;
    }
}
