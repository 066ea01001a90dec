package io.verbena.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Requests by id: which were taken, and how often each ended.
final class Ledger {
    private final AtomicInteger nextId = new AtomicInteger();
    private final AtomicIntegerArray taken;
    private final AtomicIntegerArray ended;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger posters = new AtomicInteger();
    final AtomicInteger flushed = new AtomicInteger();

    Ledger(int most) {
        taken = new AtomicIntegerArray(most);
        ended = new AtomicIntegerArray(most);
    }

    /// A new id, or -1 when there are enough.
    int next() {
        int id = nextId.getAndIncrement();
        return id < taken.length() ? id : -1;
    }

    /// Before posting, because the end may be seen before the call returns.
    void taken(int id) {
        taken.set(id, 1);
        open.incrementAndGet();
    }

    void refused(int id) {
        taken.set(id, 0);
        open.decrementAndGet();
    }

    void ended(WorkCompletion completion) {
        int id = (int) completion.wrId();
        ended.incrementAndGet(id);
        open.decrementAndGet();
        if (completion.status() == CompletionStatus.WORK_REQUEST_FLUSHED) {
            flushed.incrementAndGet();
        } else {
            assertEquals(CompletionStatus.SUCCESS, completion.status(), () -> completion.toString());
        }
    }

    /// Before the threads start.
    void addPoster() {
        posters.incrementAndGet();
    }

    void posterEnds() {
        posters.decrementAndGet();
    }

    /// Posting has stopped, and all posted requests have ended.
    boolean isSettled() {
        return posters.get() == 0 && open.get() == 0;
    }

    void assertEachEndedOnce() {
        for (int id = 0; id < taken.length(); id++) {
            assertEquals(taken.get(id), ended.get(id), "ends of request " + id);
        }
    }

    void assertNoneEndedTwice() {
        for (int id = 0; id < taken.length(); id++) {
            assertTrue(ended.get(id) <= taken.get(id), "request " + id + " ended " + ended.get(id) + " times");
        }
    }
}
