package io.verbena.soft.cq;

import io.verbena.soft.local.LaneGroup;
import io.verbena.soft.local.QueueSlot;
import io.verbena.soft.os.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/// The roles of local connections whose completions go to one completion queue. Of many connections most are idle for
/// long. Their lanes are quiet: pollers skip them until the news of the queue change.
final class QueueLanes implements LaneGroup {
    private static final VarHandle POLLS = FieldHandle.of(MethodHandles.lookup(), "polls", long.class);

    /// Up to this many lanes are always polled.
    private static final int FEW = 8;

    /// The most completions of one role in one turn of the engine, so that none starves the others.
    private static final int BUDGET = 64;

    private static final CompletionProducer[] NONE = {};

    private final SoftCompletionQueue queue;
    private final QueueSlot slot;
    private final CompletionView view = new CompletionView();
    private volatile CompletionProducer[] all = NONE;
    private volatile CompletionProducer[] active = NONE;
    private final Set<CompletionProducer> quiet = new HashSet<>();
    private long newsSeen;
    private long polls;
    private long pollsSeen;
    private volatile boolean polled;

    QueueLanes(SoftCompletionQueue queue, QueueSlot slot) {
        this.queue = queue;
        this.slot = slot;
    }

    @Override
    public QueueSlot slot() {
        return slot;
    }

    // ---- by the engine's owner ----

    void add(CompletionProducer producer) {
        all = with(all, producer);
        active = with(active, producer);
    }

    void remove(CompletionProducer producer) {
        all = without(all, other -> other == producer);
        active = without(active, other -> other == producer);
        quiet.remove(producer);
    }

    boolean isEmpty() {
        return all.length == 0;
    }

    private static CompletionProducer[] with(CompletionProducer[] some, CompletionProducer one) {
        CompletionProducer[] more = Arrays.copyOf(some, some.length + 1);
        more[some.length] = one;
        return more;
    }

    private static CompletionProducer[] without(CompletionProducer[] some, Predicate<CompletionProducer> what) {
        return Arrays.stream(some).filter(what.negate()).toArray(CompletionProducer[]::new);
    }

    @Override
    public int progress(boolean acknowledge) {
        int taken = 0;
        for (CompletionProducer producer : active) {
            taken += takeAll(producer, BUDGET);
            if (acknowledge) {
                producer.publishExecuted();
            }
        }
        return taken;
    }

    @Override
    public void publishExecuted() {
        for (CompletionProducer producer : active) {
            producer.publishExecuted();
        }
    }

    int takeAll(CompletionProducer producer, int most) {
        int taken = 0;
        while (taken < most && producer.next(view, queue, false)) {
            taken++;
        }
        return taken;
    }

    @Override
    public void resumePolling() {
        long news = slot.news();
        if (news == newsSeen) {
            return;
        }
        newsSeen = news;
        for (CompletionProducer producer : quiet.toArray(CompletionProducer[]::new)) {
            if (producer.hasNext()) {
                producer.resumePolling();
                quiet.remove(producer);
                active = with(active, producer);
            }
        }
    }

    @Override
    public boolean wasPolled() {
        long now = (long) POLLS.getOpaque(this);
        polled = now != pollsSeen && !queue.isArmed();
        pollsSeen = now;
        return polled;
    }

    @Override
    public boolean askForNews() {
        if (all.length <= FEW) {
            return false;
        }
        boolean asked = false;
        for (CompletionProducer producer : active) {
            asked |= producer.askForNews();
        }
        return asked;
    }

    @Override
    public void fallQuiet() {
        if (all.length <= FEW) {
            return;
        }
        for (CompletionProducer producer : active) {
            if (producer.fallQuiet()) {
                quiet.add(producer);
            }
        }
        active = without(active, quiet::contains);
    }

    // ---- by the poller ----

    /// Notes that the program polls. Returns whether the engine must be run, because quiet lanes have news.
    boolean onPolled() {
        POLLS.setOpaque(this, polls + 1);
        if (slot.isAsleep()) {
            slot.wakeUp();
            queue.onWokenByPoll();
        }
        return slot.news() != newsSeen;
    }

    CompletionProducer[] active() {
        return active;
    }

    // ---- by anybody ----

    @Override
    public boolean isPolled() {
        return polled;
    }

    @Override
    public boolean hasNews() {
        if (slot.news() != newsSeen) {
            return true;
        }
        for (CompletionProducer producer : active) {
            if (producer.isBusy()) {
                return true;
            }
        }
        return false;
    }
}
