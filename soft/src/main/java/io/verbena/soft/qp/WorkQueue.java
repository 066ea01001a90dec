package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.ScatterGather;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A ring of requests: programs fill slots under the queue's lock; the engine, or a role of the local path under its
/// lock, empties them. Positions only grow; a slot is a position modulo the capacity. Slots are longs in pages that are
/// made when first filled,
/// so that a deep queue costs an idle queue pair next to nothing.
abstract class WorkQueue implements CompletionSource {
    private static final VarHandle TAIL;
    private static final VarHandle HEAD;
    private static final VarHandle RELEASED;
    private static final VarHandle TAKEN;

    static {
        try {
            HEAD = MethodHandles.lookup().findVarHandle(WorkQueue.class, "head", long.class);
            TAIL = MethodHandles.lookup().findVarHandle(WorkQueue.class, "tail", long.class);
            RELEASED = MethodHandles.lookup().findVarHandle(WorkQueue.class, "released", long.class);
            TAKEN = MethodHandles.lookup().findVarHandle(WorkQueue.class, "taken", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int LEAST_SLOTS_PER_PAGE = 8;
    private static final int MOST_PAGES = 64;

    private final int stride;
    private int mask;
    private int pageShift;
    /// Filled by posters; the engine looks only at those of published positions.
    private long[][] pages;

    private long tail;
    private long head;
    /// Requests whose completion was reported.
    private long reported;
    /// Slots that are free because their requests are retired and report nothing, counted by the engine; and those
    /// that are free because their completion was taken, counted by who polls.
    private long released;

    private long taken;

    WorkQueue(int requests, int fixedWords, int maxScatterGather) {
        this.stride = fixedWords + maxScatterGather * ScatterGather.WORDS;
        layOut(requests);
    }

    private void layOut(int requests) {
        int capacity = requests <= 1 ? 1 : Integer.highestOneBit(requests - 1) << 1;
        int slots = Math.min(capacity, Math.max(LEAST_SLOTS_PER_PAGE, capacity / MOST_PAGES));
        this.mask = capacity - 1;
        this.pageShift = Integer.numberOfTrailingZeros(slots);
        this.pages = new long[capacity / slots][];
    }

    final int capacity() {
        return mask + 1;
    }

    /// The words that hold a position's slot, which starts at [#slot].
    final long[] words(long position) {
        return pages[page(position)];
    }

    /// Index of the first word of a position's slot.
    final int slot(long position) {
        return slotInPage(position) * stride;
    }

    final int page(long position) {
        return (int) (position & mask) >>> pageShift;
    }

    final int pageCount() {
        return pages.length;
    }

    final int slotsPerPage() {
        return 1 << pageShift;
    }

    final int slotInPage(long position) {
        return (int) position & slotsPerPage() - 1;
    }

    /// Poster's side: as [#words], for the position to fill next.
    final long[] wordsToFill(long position) {
        int page = page(position);
        if (pages[page] == null) {
            pages[page] = new long[stride << pageShift];
        }
        return pages[page];
    }

    /// Poster's side: whether there is no free slot. A request that reports keeps its slot until its completion is
    /// taken, so a completion queue as large as the work queues behind it cannot overflow. Each slot is freed by one
    /// store, so no request is ever seen to hold two, or none too early.
    final boolean isFull() {
        return tail - (long) RELEASED.getAcquire(this) - (long) TAKEN.getAcquire(this) > mask;
    }

    /// Poster's side: the position to fill next.
    final long next() {
        return tail;
    }

    /// Poster's side: publishes the slot that was filled. Volatile strength, because the poster looks at the queue
    /// pair's state afterwards and the engine does it the other way round.
    final void publish() {
        TAIL.setVolatile(this, tail + 1);
    }

    /// As [#publish], for a poster that takes a lock or announces the queue afterwards in any case.
    final void publishInOrder() {
        TAIL.setRelease(this, tail + 1);
    }

    /// Engine's side: oldest request not yet retired.
    final long head() {
        return head;
    }

    /// One past the newest posted request.
    final long tail() {
        return (long) TAIL.getVolatile(this);
    }

    final boolean isEmpty() {
        return head == tail();
    }

    /// Whether nothing is posted, as far as a thread can see that does not own the queue.
    final boolean seemsEmpty() {
        return (long) HEAD.getOpaque(this) == (long) TAIL.getOpaque(this);
    }

    /// Engine's side: a completion of this queue goes to the completion queue.
    final void onReported() {
        reported++;
    }

    /// Engine's side: the completion queue was full, so nobody will take it.
    final void onLost() {
        reported--;
        release();
    }

    /// Poller's side: a completion of this queue was taken. All go to one completion queue, whose lock the caller
    /// holds.
    @Override
    public void onTaken() {
        TAKEN.setRelease(this, taken + 1);
    }

    /// As [#onTaken], for queues whose completions go to several completion queues.
    final void countTaken() {
        TAKEN.getAndAdd(this, 1L);
    }

    /// Gives the ring another size, with the requests in it; nobody may post, and only the engine's owner calls this.
    final void resize(int requests) {
        long[][] oldPages = pages;
        int oldMask = mask;
        int oldShift = pageShift;
        layOut(requests);
        for (long position = head; position != tail; position++) {
            int slot = (int) (position & oldMask);
            int within = (slot & (1 << oldShift) - 1) * stride;
            System.arraycopy(oldPages[slot >>> oldShift], within, wordsToFill(position), slot(position), stride);
        }
    }

    private void release() {
        RELEASED.setRelease(this, head - reported);
    }

    /// Engine's side: is done with the oldest request. One that was reported keeps its slot until that is taken.
    final void retire() {
        head++;
        release();
    }

    /// Engine's side: drops everything without a trace.
    final void clear() {
        head = tail();
        release();
    }
}
