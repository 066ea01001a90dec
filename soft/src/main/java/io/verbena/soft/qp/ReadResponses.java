package io.verbena.soft.qp;

import io.verbena.roce.packet.Psn;
import java.util.Arrays;

/// The READs a responder serves: those whose answers are still to be sent, and the last ones served, so that a
/// repeated request is answered again. As many as the peer may have out at a time. Owned by the engine.
final class ReadResponses {
    private int capacity;
    private int[] firstPsn;
    private int[] lastPsn;
    private int[] rkey;
    private long[] address;
    private long[] length;
    /// Where the answer starts (later than `firstPsn` when only the rest was asked for again), and what is sent
    /// next.
    private int[] startPsn;

    private int[] nextPsn;
    private int[] endPsn;
    /// Where the answer ends, in bytes from the READ's first one.
    private long[] endOffset;

    private boolean[] pending;
    /// Answered in full before: what is pending now is a repetition.
    private boolean[] served;
    private int newest;
    private int known;
    /// Slots with answers to send, in order.
    private int[] line;

    private int lineHead;
    private int lineSize;

    /// A new number of READs to serve at a time takes effect when none is being answered.
    void takeLimit(int reads) {
        if (lineSize == 0 && capacity != slots(reads)) {
            reset(reads);
        }
    }

    /// Peers may round what they were granted up to a power of two, as Linux does.
    private static int slots(int reads) {
        return reads <= 1 ? reads : Integer.highestOneBit(reads - 1) << 1;
    }

    void reset(int granted) {
        int reads = slots(granted);
        if (firstPsn == null || capacity != reads) {
            capacity = reads;
            firstPsn = new int[reads];
            lastPsn = new int[reads];
            rkey = new int[reads];
            address = new long[reads];
            length = new long[reads];
            startPsn = new int[reads];
            nextPsn = new int[reads];
            endPsn = new int[reads];
            endOffset = new long[reads];
            served = new boolean[reads];
            pending = new boolean[reads];
            line = new int[reads];
        }
        Arrays.fill(pending, false);
        newest = 0;
        known = 0;
        lineHead = 0;
        lineSize = 0;
    }

    boolean isEmpty() {
        return lineSize == 0;
    }

    /// Whether the peer has more READs out than it was granted. A repetition does not count: a peer that goes on
    /// has the answer, and the network may deliver a request twice.
    boolean isFull() {
        if (capacity == 0) {
            return true;
        }
        int oldest = (newest + 1) % capacity;
        return pending[oldest] && !served[oldest];
    }

    void add(int psn, int packets, long readAddress, int key, long bytes) {
        newest = (newest + 1) % capacity;
        if (pending[newest]) {
            leaveLine(newest);
        }
        served[newest] = false;
        known = Math.min(known + 1, capacity);
        firstPsn[newest] = psn;
        lastPsn[newest] = Psn.add(psn, packets - 1);
        address[newest] = readAddress;
        rkey[newest] = key;
        length[newest] = bytes;
        schedule(newest, psn, lastPsn[newest], bytes);
    }

    private void schedule(int slot, int from, int to, long end) {
        startPsn[slot] = from;
        nextPsn[slot] = from;
        endPsn[slot] = to;
        endOffset[slot] = end;
        if (!pending[slot]) {
            pending[slot] = true;
            enterLine(slot);
        }
    }

    /// Answers leave in the order of their PSNs, also those that are given again.
    private void enterLine(int slot) {
        int at = lineSize++;
        while (at > 0 && Psn.isAfter(firstPsn[line[(lineHead + at - 1) % capacity]], firstPsn[slot])) {
            line[(lineHead + at) % capacity] = line[(lineHead + at - 1) % capacity];
            at--;
        }
        line[(lineHead + at) % capacity] = slot;
    }

    /// Serves a READ again that was seen before, from its PSN on. False when it is not one of the last, or asks for
    /// something else than it did then: such a request is dropped.
    boolean replay(int psn, int packets, long readAddress, int key, long bytes, int mtu) {
        for (int i = 0; i < known; i++) {
            int slot = (newest - i + capacity) % capacity;
            if (Psn.isBefore(psn, firstPsn[slot]) || Psn.isAfter(psn, lastPsn[slot])) {
                continue;
            }
            long skipped = (long) Psn.distance(psn, firstPsn[slot]) * mtu;
            if (key != rkey[slot] || readAddress != address[slot] + skipped || bytes > length[slot] - skipped) {
                return false;
            }
            boolean stillToCome = pending[slot] && startPsn[slot] == psn && nextPsn[slot] == psn;
            if (!stillToCome) {
                schedule(slot, psn, Psn.add(psn, packets - 1), skipped + bytes);
            }
            return true;
        }
        return false;
    }

    /// Whether the first in line was answered in full before.
    boolean isRepeat() {
        return served[slot()];
    }

    /// Gives up the first in line.
    void drop() {
        leaveLine(slot());
    }

    private void leaveLine(int slot) {
        pending[slot] = false;
        int kept = 0;
        for (int i = 0; i < lineSize; i++) {
            int other = line[(lineHead + i) % capacity];
            if (other != slot) {
                line[(lineHead + kept++) % capacity] = other;
            }
        }
        lineSize = kept;
    }

    /// The first in line. The accessors below speak of it.
    private int slot() {
        return line[lineHead];
    }

    int psn() {
        return nextPsn[slot()];
    }

    boolean isFirst() {
        return nextPsn[slot()] == startPsn[slot()];
    }

    boolean isLast() {
        return nextPsn[slot()] == endPsn[slot()];
    }

    int key() {
        return rkey[slot()];
    }

    private long offset(int mtu) {
        return (long) Psn.distance(nextPsn[slot()], firstPsn[slot()]) * mtu;
    }

    long address(int mtu) {
        return address[slot()] + offset(mtu);
    }

    int payload(int mtu) {
        return (int) Math.min(mtu, endOffset[slot()] - offset(mtu));
    }

    /// One packet of the answer is out.
    void advance() {
        int slot = slot();
        if (nextPsn[slot] == endPsn[slot]) {
            pending[slot] = false;
            served[slot] = true;
            lineHead = (lineHead + 1) % capacity;
            lineSize--;
        } else {
            nextPsn[slot] = Psn.next(nextPsn[slot]);
        }
    }
}
