package io.verbena.soft.cq;

import io.verbena.soft.local.LaneGroup;
import io.verbena.soft.local.QueueSlot;
import io.verbena.soft.os.FieldHandle;
import io.verbena.verbs.WorkCompletionHandler;
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

    /// The most completions that a poller takes from a role at once.
    private static final int BATCH = 16;

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

    /// Completions that the poller has taken from a role, and those among them that no handler has got. Guarded by the
    /// queue's poll lock. Some are left only where a handler throws, or polls again.
    private final CompletionView[] batch = new CompletionView[BATCH];

    private int delivered;
    private int taken;

    QueueLanes(SoftCompletionQueue queue, QueueSlot slot) {
        this.queue = queue;
        this.slot = slot;
        Arrays.setAll(batch, i -> new CompletionView());
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
        int queued = 0;
        for (CompletionProducer producer : active) {
            queued += queueAll(producer, BUDGET);
            if (acknowledge) {
                producer.publishExecuted();
            }
        }
        return queued;
    }

    @Override
    public void publishExecuted() {
        for (CompletionProducer producer : active) {
            producer.publishExecuted();
        }
    }

    int queueAll(CompletionProducer producer, int most) {
        int queued = 0;
        while (queued < most && producer.queueNext(view, queue)) {
            queued++;
        }
        return queued;
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

    /// Passes completions that were taken to the handler. Returns how many.
    int deliver(WorkCompletionHandler handler, int limit) {
        int n = 0;
        while (delivered < taken && n < limit) {
            n++;
            handler.onCompletion(batch[delivered++]);
        }
        return n;
    }

    /// Takes completions from a role and passes them to the handler. Returns how many.
    int poll(CompletionProducer producer, WorkCompletionHandler handler, int limit) {
        int n = 0;
        int wanted;
        int found;
        do {
            wanted = Math.min(limit - n, BATCH);
            found = producer.take(batch, wanted, queue);
            delivered = 0;
            taken = found;
            n += deliver(handler, found);
        } while (found == wanted && n < limit);
        return n;
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
            if (producer.hasNext()) {
                return true;
            }
        }
        return false;
    }
}
