package io.verbena.soft.qp;

import io.verbena.soft.engine.Destination;
import io.verbena.soft.mem.BindableWindow;
import io.verbena.soft.mem.MemoryAccess;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.spi.SendRequestFields;
import java.lang.foreign.MemorySegment;

/// Posted send requests, for the engine.
final class SendQueue extends WorkQueue {
    static final int SIGNALED = SendRequestFields.SIGNALED;
    static final int SOLICITED = SendRequestFields.SOLICITED;
    static final int FENCED = SendRequestFields.FENCED;
    static final int INLINE = SendRequestFields.INLINE;

    private static final int WR_ID = 0;
    private static final int KIND = 1;
    private static final int LENGTH = 2;
    private static final int REMOTE_ADDRESS = 3;
    private static final int RKEY_AND_IMMEDIATE = 4;
    private static final int PSNS = 5;
    /// In place of the PSNs, which a datagram need not keep: it completes when it is sent.
    private static final int TRAFFIC = PSNS;
    /// In place of the PSNs, on the local path: the ring position behind its last entry, and whether it has one.
    private static final int END = PSNS;

    private static final int OPERAND = 6;
    private static final int SECOND_OPERAND = 7;
    private static final int FIXED_WORDS = 8;

    private static final Operation[] OPERATIONS = Operation.values();

    private final int maxInline;
    /// Inline bytes, in pages as the slots are.
    private final MemorySegment[] inline;

    SendQueue(int requests, int maxScatterGather, int maxInline) {
        super(requests, FIXED_WORDS, maxScatterGather);
        this.maxInline = maxInline;
        this.inline = new MemorySegment[pageCount()];
    }

    /// Makes sure that [#fillSent] cannot fail.
    void prepare() {
        wordsToFill(next());
    }

    /// Like [#write], for a request that was sent already: keeps only the fields that its completion needs. Other
    /// threads see it when it is published.
    void fillSent(SoftSendRequest request, long bytes, long end, boolean out) {
        long position = next();
        long[] words = words(position);
        int slot = slot(position);
        words[slot + WR_ID] = request.wrId();
        words[slot + KIND] = request.operation().ordinal() | request.flags() << 8;
        words[slot + LENGTH] = bytes;
        words[slot + END] = endWord(end, out);
    }

    /// Copies a checked request into the next slot. Poster's side.
    void write(SoftSendRequest request) {
        long position = next();
        long[] words = wordsToFill(position);
        int slot = slot(position);
        words[slot + WR_ID] = request.wrId();
        words[slot + KIND] = request.operation().ordinal() | request.flags() << 8 | request.buffers.count() << 16;
        words[slot + LENGTH] = request.messageBytes();
        words[slot + RKEY_AND_IMMEDIATE] = pair(request.rkey(), request.immediate());
        Destination destination = request.destination;
        if (destination == null) {
            words[slot + REMOTE_ADDRESS] = request.remoteAddress();
            words[slot + OPERAND] = request.operand();
            words[slot + SECOND_OPERAND] = request.secondOperand();
            words[slot + END] = 0; // not sent yet
        } else {
            words[slot + REMOTE_ADDRESS] = destination.high();
            words[slot + OPERAND] = pair(request.destinationQp(), request.qkey());
            words[slot + SECOND_OPERAND] = destination.low();
            words[slot + TRAFFIC] = destination.traffic();
        }
        if (request.isInline()) {
            request.buffers.copyBytes(inlineToFill(position), inlineAt(position));
        } else {
            request.buffers.copyInto(words, slot + FIXED_WORDS);
        }
        if (request.operation() == Operation.BIND_MEMORY_WINDOW) {
            words[slot + RKEY_AND_IMMEDIATE] =
                    pair(request.rkey(), request.region().lkey());
            ((BindableWindow) request.window()).onBindPosted(request.rkey());
        }
        publish();
    }

    /// The length of the newest request, as a hint for threads that do not own the queue: its slot may be filled anew
    /// at this moment.
    long lastBytes() {
        long newest = tail() - 1;
        long[] words = newest < 0 ? null : words(newest);
        return words == null ? 0 : words[slot(newest) + LENGTH];
    }

    private static long pair(int low, int high) {
        return low & 0xFFFF_FFFFL | (long) high << 32;
    }

    long wrId(long position) {
        return words(position)[slot(position) + WR_ID];
    }

    Operation operation(long position) {
        return OPERATIONS[(int) (words(position)[slot(position) + KIND] & 0xFF)];
    }

    boolean has(long position, int flag) {
        return (words(position)[slot(position) + KIND] >>> 8 & flag) != 0;
    }

    int flags(long position) {
        return (int) (words(position)[slot(position) + KIND] >>> 8 & 0xFF);
    }

    int bufferCount(long position) {
        return (int) (words(position)[slot(position) + KIND] >>> 16 & 0xFF);
    }

    /// Index of the first buffer's words.
    int buffersAt(long position) {
        return slot(position) + FIXED_WORDS;
    }

    long length(long position) {
        return words(position)[slot(position) + LENGTH];
    }

    long remoteAddress(long position) {
        return words(position)[slot(position) + REMOTE_ADDRESS];
    }

    int rkey(long position) {
        return (int) words(position)[slot(position) + RKEY_AND_IMMEDIATE];
    }

    int immediate(long position) {
        return (int) (words(position)[slot(position) + RKEY_AND_IMMEDIATE] >>> 32);
    }

    /// The value to compare with or to add.
    long operand(long position) {
        return words(position)[slot(position) + OPERAND];
    }

    /// The value to swap in.
    long secondOperand(long position) {
        return words(position)[slot(position) + SECOND_OPERAND];
    }

    /// The destination of a datagram, in GID form.
    long destinationHigh(long position) {
        return remoteAddress(position);
    }

    long destinationLow(long position) {
        return secondOperand(position);
    }

    int destinationQp(long position) {
        return (int) operand(position);
    }

    int qkey(long position) {
        return (int) (operand(position) >>> 32);
    }

    /// The IP header fields of a datagram, packed as `Traffic`.
    long traffic(long position) {
        return words(position)[slot(position) + TRAFFIC];
    }

    /// The offset in its page of the inline bytes of a position.
    private long inlineAt(long position) {
        return (long) slotInPage(position) * maxInline;
    }

    private MemorySegment inlineToFill(long position) {
        int page = page(position);
        if (inline[page] == null) {
            inline[page] = MemorySegment.ofArray(new byte[slotsPerPage() * maxInline]);
        }
        return inline[page];
    }

    /// Sets the ring position behind the request's last entry. Of a request that was executed by direct access: the end
    /// of the ring at that time.
    void end(long position, long ringPosition, boolean out) {
        words(position)[slot(position) + END] = endWord(ringPosition, out);
    }

    private static long endWord(long ringPosition, boolean out) {
        return ringPosition << 1 | (out ? 1 : 0);
    }

    long end(long position) {
        return words(position)[slot(position) + END] >>> 1;
    }

    /// Whether the request was sent to the peer.
    boolean wentOut(long position) {
        return (words(position)[slot(position) + END] & 1) != 0;
    }

    /// Copies bytes of a request's buffers, or its inline bytes, from `offset` on. False when a buffer may no longer be
    /// read.
    boolean gather(MemoryAccess access, long position, long offset, MemorySegment to, long at, int bytes) {
        if (has(position, INLINE)) {
            MemorySegment.copy(inline[page(position)], inlineAt(position) + offset, to, at, bytes);
            return true;
        }
        return access.gather(words(position), buffersAt(position), bufferCount(position), offset, to, at, bytes);
    }

    /// Places bytes into a request's buffers from `offset` on; false when a buffer does not allow it.
    boolean scatter(MemoryAccess access, long position, long offset, MemorySegment from, long at, int bytes) {
        return access.scatter(words(position), buffersAt(position), bufferCount(position), offset, from, at, bytes);
    }

    /// Whether a request's buffers may be read, and have the other rights.
    boolean allows(MemoryAccess access, long position, int rights) {
        return has(position, INLINE)
                || access.allows(words(position), buffersAt(position), bufferCount(position), rights);
    }

    void psns(long position, int first, int last) {
        words(position)[slot(position) + PSNS] = first & 0xFFFF_FFFFL | (long) last << 32;
    }

    int firstPsn(long position) {
        return (int) words(position)[slot(position) + PSNS];
    }

    int lastPsn(long position) {
        return (int) (words(position)[slot(position) + PSNS] >>> 32);
    }
}
