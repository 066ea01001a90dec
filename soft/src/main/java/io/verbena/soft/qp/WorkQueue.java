package io.verbena.soft.qp;

import io.verbena.soft.cq.CompletionSource;
import io.verbena.soft.mem.ScatterGather;
import io.verbena.soft.os.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A ring of requests. Programs fill slots under the queue's lock; the engine, or a role of the local path under its
/// lock, empties them. Positions only grow; a slot is a position modulo the capacity. Slots are longs in pages that are
/// allocated when first filled, so that a deep queue costs an idle queue pair almost nothing.
abstract class WorkQueue implements CompletionSource {
    private static final VarHandle TAIL = FieldHandle.of(MethodHandles.lookup(), "tail", long.class);
    private static final VarHandle HEAD = FieldHandle.of(MethodHandles.lookup(), "head", long.class);
    private static final VarHandle RELEASED = FieldHandle.of(MethodHandles.lookup(), "released", long.class);
    private static final VarHandle TAKEN = FieldHandle.of(MethodHandles.lookup(), "taken", long.class);

    private static final int LEAST_SLOTS_PER_PAGE = 8;
    private static final int MOST_PAGES = 64;

    private final int stride;
    private int mask;
    private int pageShift;
    /// Filled by posters. The engine reads only pages of published positions.
    private long[][] pages;

    private long tail;
    private long head;
    /// Requests whose completion was added to the completion queue.
    private long reported;
    /// Slots freed by retiring a request without completion, counted by the engine; and slots freed by polling the
    /// completion, counted by the poller.
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

    /// Poster's side: like [#words], for the position to fill next.
    final long[] wordsToFill(long position) {
        int page = page(position);
        if (pages[page] == null) {
            pages[page] = new long[stride << pageShift];
        }
        return pages[page];
    }

    /// Poster's side: whether there is no free slot. A request with a completion keeps its slot until the completion is
    /// polled, so a completion queue as large as its work queues cannot overflow. One store frees each slot, so a slot
    /// is never counted twice, nor freed too early.
    final boolean isFull() {
        return tail - (long) RELEASED.getAcquire(this) - (long) TAKEN.getAcquire(this) > mask;
    }

    /// Poster's side: the position to fill next.
    final long next() {
        return tail;
    }

    /// Poster's side: publishes the slot that was filled. A poster that reads the queue pair's state afterwards needs a
    /// fence in between, as in SoftQueuePair.announceReceives.
    final void publish() {
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

    /// Whether nothing is posted, as a hint for threads that do not own the queue.
    final boolean seemsEmpty() {
        return (long) HEAD.getOpaque(this) == (long) TAIL.getOpaque(this);
    }

    /// How many requests are not retired, as a hint for threads that do not own the queue. The head is read first, so
    /// the difference is never negative.
    final long seemsWaiting() {
        long oldest = retired();
        return Math.min((long) TAIL.getOpaque(this) - oldest, capacity());
    }

    /// How many requests were retired so far, as a hint for threads that do not own the queue.
    final long retired() {
        return (long) HEAD.getOpaque(this);
    }

    /// Engine's side: a completion of this queue is added to the completion queue.
    final void onReported() {
        reported++;
    }

    /// Engine's side: the completion queue was full, so no poller will take the completion.
    final void onLost() {
        reported--;
        release();
    }

    /// Poller's side: a completion of this queue was polled. All are in one completion queue, whose lock the caller
    /// holds.
    @Override
    public void onTaken() {
        TAKEN.setRelease(this, taken + 1);
    }

    /// Like [#onTaken], for queues whose completions are in several completion queues.
    final void countTaken() {
        TAKEN.getAndAdd(this, 1L);
    }

    /// Changes the size of the ring and keeps its requests. By the engine's owner, while no thread posts.
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

    /// Engine's side: retires the oldest request. If it has a completion, it keeps its slot until that is polled.
    final void retire() {
        head++;
        release();
    }

    /// Engine's side: drops all requests without completions.
    final void clear() {
        head = tail();
        release();
    }
}
