package io.verbena.endpoint;

import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The sending half of a connection: posts messages, as far as credits and the send queue allow, and returns credits to
/// the peer with them. Threads that send take its lock for a moment; nobody waits while holding it.
final class Sender {
    /// After so many requests a program that only sends looks at what has come.
    private static final int PROGRESS_EACH = 8;

    /// More than two sides that follow the protocol ever have.
    private static final int MOST_BACKLOG = 64;

    /// A message of the protocol that waits for room in the send queue.
    private record Control(int kind, int flags, long number, byte[] payload, SentRequest tracked) {}

    private final ShortLock lock = new ShortLock();
    private final QueuePair qp;
    private final Credits credits;
    private final SendBuffers buffers;
    private final InlineMessages inline;
    private final int longestEager;
    private final int longestInline;
    private final SendRequest copied;
    private final SendRequest oneSided;

    /// Reads that are posted in one go; as many as were needed so far.
    private final List<SendRequest> reads = new ArrayList<>();

    private final PostedRequests requests;

    // ---- under the lock ----
    private long messages;
    private boolean ended;
    private boolean closed;
    private final ArrayDeque<Control> backlog = new ArrayDeque<>(1);

    /// How many requests were posted when [#isProgressDue] was true last.
    private int progressedAt = Credits.FIRST;

    /// @param buffers for messages that are not inline
    /// @param scratches where inline messages are put together
    /// @param peer what the peer said when it connected
    Sender(QueuePair qp, SendBuffers buffers, Slab scratches, Handshake peer, Credits credits, int depth) {
        this.qp = qp;
        this.credits = credits;
        this.buffers = buffers;
        this.requests = new PostedRequests(qp, depth);
        longestEager = Math.min(peer.bufferBytes(), buffers.bufferBytes()) - MessageHeader.BYTES;
        longestInline = Math.min(
                longestEager,
                Math.min(qp.capabilities().maxInlineBytes(), scratches.slotBytes()) - MessageHeader.BYTES);
        inline = new InlineMessages(qp, scratches);
        copied = qp.newSendRequest().send();
        oneSided = qp.newSendRequest();
    }

    int longestEager() {
        return longestEager;
    }

    // ---- messages ----

    /// Whether a message that is no answer could be posted now. From any thread; true may be late, not false.
    boolean hasRoom() {
        return credits.allowMessage() && hasQueueRoom();
    }

    /// As [#hasRoom], for the answer to a request.
    boolean hasRoomForReply() {
        return credits.allowReply() && hasQueueRoom();
    }

    /// As [#hasRoom], for a message of that kind.
    boolean hasRoomFor(int kind) {
        return kind == MessageHeader.REPLY ? hasRoomForReply() : hasRoom();
    }

    /// Whether so many requests were posted since it was so last. Threads that send at once may see it too often.
    boolean isProgressDue() {
        int now = requests.posted();
        if (now - progressedAt < PROGRESS_EACH) {
            return false;
        }
        progressedAt = now;
        return true;
    }

    /// How many messages were posted that are no answers, modulo 2^32. Others may see it late.
    int messages() {
        return (int) messages;
    }

    /// Fails when the peer's program cannot have taken so many of them.
    void requireSent(int taken) {
        lock.lock();
        try {
            int untaken = (int) messages - taken;
            if (untaken < 0 || untaken > messages) {
                throw new IllegalStateException("the peer says that it took %d of %d messages"
                        .formatted(Integer.toUnsignedLong(taken), messages));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Whether the peer has acknowledged everything that was posted and had a completion.
    boolean isIdle() {
        return requests.isIdle();
    }

    /// Posts a message that is not longer than [#longestEager]. False when it has to wait for credits or room.
    ///
    /// @param onCompleted null when nobody wants to know
    boolean trySend(
            int kind, int flags, long number, MemorySegment from, long at, int length, SentRequest onCompleted) {
        lock.lock();
        try {
            requireOpen(ended);
            if (!hasRoomFor(kind) || !post(kind, flags, number, from, at, length, onCompleted)) {
                return false;
            }
            credits.onSent();
            messages += kind == MessageHeader.REPLY ? 0 : 1;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Under the lock.
    private boolean post(
            int kind, int flags, long number, MemorySegment from, long at, int length, SentRequest onCompleted) {
        return length <= longestInline
                ? postInline(kind, flags, number, from, at, length, onCompleted)
                : postCopied(kind, flags, number, from, at, length, onCompleted);
    }

    private boolean postInline(
            int kind, int flags, long number, MemorySegment from, long at, int length, SentRequest onCompleted) {
        int returned = credits.owed();
        boolean isSignaled = onCompleted != null || requests.isCompletionDue();
        SendRequest request = inline.put(kind, flags, returned, number, from, at, length, isSignaled);
        return finishPost(request, returned, onCompleted);
    }

    private boolean postCopied(
            int kind, int flags, long number, MemorySegment from, long at, int length, SentRequest onCompleted) {
        SendBuffers.Buffer buffer = buffers.take();
        int returned = credits.owed();
        MemorySegment to = buffer.region().memory();
        long offset = buffer.offset();
        MessageHeader.write(to, offset, kind, flags, returned, length, number);
        MemorySegment.copy(from, at, to, offset + MessageHeader.BYTES, length);
        copied.from(buffer.region(), offset, MessageHeader.BYTES + (long) length)
                .signaled(true);
        boolean taken = false;
        try {
            taken = finishPost(copied, returned, buffer.then(onCompleted));
        } finally {
            if (!taken) {
                buffer.giveBack();
            }
        }
        return taken;
    }

    private boolean finishPost(SendRequest request, int returned, SentRequest onCompleted) {
        boolean taken = requests.post(request, onCompleted);
        if (taken) {
            credits.onAnnounced(returned);
        }
        return taken;
    }

    /// Chooses what to do with the peer's memory.
    interface AccessKind {
        /// Sets the operation of a request.
        SendRequest apply(SendRequest request);
    }

    /// Posts an access to the peer's memory. False when it has to wait for room.
    boolean tryAccess(AccessKind kind, MemoryRegion local, long at, long length, SentRequest onCompleted) {
        lock.lock();
        try {
            requireOpen(false);
            if (!hasQueueRoom()) {
                return false;
            }
            kind.apply(oneSided.fenced(false)).from(local, at, length).signaled(true);
            return requests.post(oneSided, onCompleted);
        } finally {
            lock.unlock();
        }
    }

    /// Posts reads in one go, the last of which has a completion. False when they have to wait for room.
    ///
    /// @param isLastFenced whether the last one begins when all before it have ended
    boolean tryReads(
            RemoteBuffer from,
            List<RemoteMemory.Range> ranges,
            boolean isLastFenced,
            MemoryRegion into,
            SentRequest onCompleted) {
        int count = ranges.size();
        try {
            lock.lock();
            try {
                requireOpen(false);
                if (!hasQueueRoom(count)) {
                    return false;
                }
                requests.postAll(chain(from, ranges, isLastFenced, into), onCompleted);
                return true;
            } finally {
                lock.unlock();
            }
        } catch (BadRequestException e) {
            if (e.index() > 0) {
                // Those before it are under way, into memory that nobody would keep for them: the connection ends.
                try {
                    qp.modify(QueuePairChange.to(QueuePairState.ERR));
                } catch (RdmaException next) {
                    e.addSuppressed(next);
                }
            }
            throw e;
        }
    }

    private List<SendRequest> chain(
            RemoteBuffer from, List<RemoteMemory.Range> ranges, boolean isLastFenced, MemoryRegion into) {
        int count = ranges.size();
        while (reads.size() < count) {
            reads.add(qp.newSendRequest());
        }
        for (int i = 0; i < count; i++) {
            RemoteMemory.Range range = ranges.get(i);
            boolean isLast = i == count - 1;
            reads.get(i)
                    .read(from.address() + range.offset(), from.rkey())
                    .into(into, range.at(), range.length())
                    .fenced(isLast && isLastFenced)
                    .signaled(isLast);
        }
        return reads.subList(0, count);
    }

    /// Whether an access to the peer's memory could be posted now.
    boolean hasQueueRoom() {
        return hasQueueRoom(1);
    }

    /// Whether so many could be posted at once. Of several the last has a completion, so they need not wait for that of
    /// requests which have none.
    boolean hasQueueRoom(int count) {
        return requests.haveRoomFor(count);
    }

    /// Sends a message of the protocol, now or as soon as there is room. It needs no credit.
    void control(int kind, int flags, long number, byte[] payload, SentRequest onCompleted) {
        if (!post(new Control(kind, flags, number, payload, onCompleted)) && onCompleted != null) {
            onCompleted.onCompleted(CompletionStatus.WORK_REQUEST_FLUSHED); // without the lock: it may send
        }
    }

    /// False when the connection is closed.
    private boolean post(Control control) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            ended |= control.kind == MessageHeader.END;
            if (!backlog.isEmpty() || !postControl(control)) {
                if (backlog.size() >= MOST_BACKLOG) {
                    throw new IllegalStateException("the peer asks for more than it takes answers");
                }
                backlog.add(control);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean postControl(Control control) {
        return requests.haveRoomForControl()
                && post(
                        control.kind,
                        control.flags,
                        control.number,
                        MemorySegment.ofArray(control.payload),
                        0,
                        control.payload.length,
                        control.tracked);
    }

    // ---- credits ----

    /// Returns credits by themselves when many are owed, or when the peer has none left.
    void returnCredits() {
        lock.lock();
        try {
            if (!closed && backlog.isEmpty() && (credits.areManyOwed() || credits.isPeerOut())) {
                Control control = new Control(MessageHeader.CREDITS, 0, 0, ConnectionLink.NO_BYTES, null);
                if (!postControl(control)) {
                    backlog.add(control);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- completions, of the owner of the hub ----

    /// A request, and with it all before it, is complete.
    void onCompleted(int number, CompletionStatus status) {
        requests.onCompleted(number, status);
        if (!backlog.isEmpty()) { // also read under the lock before anything is done
            postBacklog();
        }
    }

    private void postBacklog() {
        lock.lock();
        try {
            while (!closed && !backlog.isEmpty() && postControl(backlog.peek())) {
                backlog.poll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Under the lock.
    private void requireOpen(boolean isEnded) {
        if (closed || isEnded) {
            throw new RdmaException("send", Errno.EBADF, "the connection was closed by this program");
        }
    }

    /// Completes what is left, after the queue pair was closed, and gives the memory back.
    void close() {
        List<Control> unsent;
        lock.lock();
        try {
            closed = true;
            unsent = List.copyOf(backlog);
            backlog.clear();
            inline.close();
        } finally {
            lock.unlock();
        }
        requests.flush();
        for (Control control : unsent) {
            if (control.tracked != null) {
                control.tracked.onCompleted(CompletionStatus.WORK_REQUEST_FLUSHED);
            }
        }
    }
}
