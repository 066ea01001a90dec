package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;
import java.util.Arrays;

/// The READs, atomics and FLUSHes a responder serves: those whose answers are still to be sent, and the last ones
/// served,
/// so that a repeated request is answered again: a READ from memory, an atomic with the value it brought the first
/// time.
/// As many as the peer may have out at a time. Owned by the engine.
final class ResponderResources {
    private int capacity;
    private Opcode[] request;
    private int[] firstPsn;
    private int[] lastPsn;
    private int[] rkey;
    private long[] address;
    private long[] length;
    /// What an atomic found.
    private long[] original;
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

    /// A new number to serve at a time takes effect when none is being answered.
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
            request = new Opcode[reads];
            firstPsn = new int[reads];
            lastPsn = new int[reads];
            rkey = new int[reads];
            address = new long[reads];
            length = new long[reads];
            original = new long[reads];
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

    /// Whether the peer has more READs and atomics out than it was granted. A repetition does not count: a peer that
    /// goes on
    /// has the answer, and the network may deliver a request twice.
    boolean isFull() {
        if (capacity == 0) {
            return true;
        }
        int oldest = (newest + 1) % capacity;
        return pending[oldest] && !served[oldest];
    }

    void addRead(int psn, int packets, long readAddress, int key, long bytes) {
        add(Opcode.RC_RDMA_READ_REQUEST, psn, packets, readAddress, key, bytes);
    }

    /// One that is carried out already, and answered by one packet without bytes of memory.
    void addExecuted(Opcode opcode, int psn, long target, int key, long found) {
        add(opcode, psn, 1, target, key, 0);
        original[newest] = found;
    }

    private void add(Opcode opcode, int psn, int packets, long readAddress, int key, long bytes) {
        newest = (newest + 1) % capacity;
        if (pending[newest]) {
            leaveLine(newest);
        }
        served[newest] = false;
        known = Math.min(known + 1, capacity);
        request[newest] = opcode;
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
    boolean replayRead(int psn, int packets, long readAddress, int key, long bytes, int mtu) {
        int slot = find(psn);
        if (slot < 0 || request[slot] != Opcode.RC_RDMA_READ_REQUEST) {
            return false;
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

    /// As [#replayRead], for one that was carried out once and is not carried out again.
    boolean replayExecuted(Opcode opcode, int psn, long target, int key) {
        int slot = find(psn);
        if (slot < 0 || request[slot] != opcode || target != address[slot] || key != rkey[slot]) {
            return false;
        }
        if (!pending[slot]) {
            schedule(slot, psn, psn, 0);
        }
        return true;
    }

    /// The slot of the request that was answered with that PSN, or -1.
    private int find(int psn) {
        for (int i = 0; i < known; i++) {
            int slot = (newest - i + capacity) % capacity;
            if (!Psn.isBefore(psn, firstPsn[slot]) && !Psn.isAfter(psn, lastPsn[slot])) {
                return slot;
            }
        }
        return -1;
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

    Opcode request() {
        return request[slot()];
    }

    long original() {
        return original[slot()];
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
