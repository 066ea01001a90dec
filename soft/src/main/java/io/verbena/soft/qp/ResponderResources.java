package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;

/// The READs, atomics and FLUSHes a responder serves: those whose answers are still to be sent, and the last ones that
/// were served, so that a repeated request is answered again: a READ from memory, an atomic with the value it brought
/// the first time. As many as the peer may have out at a time. Owned by the engine.
final class ResponderResources {
    /// One request with its answer.
    private static final class Resource {
        Opcode request;
        int firstPsn;
        int lastPsn;
        int rkey;
        long address;
        long length;
        /// What an atomic found.
        long original;
        /// Where the answer starts (later than `firstPsn` when only the rest was asked for again), what is sent next,
        /// and where it ends.
        int startPsn;

        int nextPsn;
        int endPsn;
        /// Where the answer ends, in bytes from the READ's first one.
        long endOffset;

        boolean pending;
        /// Answered in full before: what is pending now is a repetition.
        boolean served;

        boolean has(int psn) {
            return !Psn.isBefore(psn, firstPsn) && !Psn.isAfter(psn, lastPsn);
        }

        long offset(int mtu) {
            return (long) Psn.distance(nextPsn, firstPsn) * mtu;
        }
    }

    /// A ring: behind the newest comes the oldest, which the next request takes.
    private Resource[] ring = {};
    private int newest;
    private int known;
    /// Those with answers to send, in order.
    private Resource[] line = {};

    private int lineHead;
    private int lineSize;

    /// A new number to serve at a time takes effect when none is being answered. What was served is still remembered,
    /// since the peer may not have its answer.
    void takeLimit(int granted) {
        int reads = slots(granted);
        if (lineSize > 0 || ring.length == reads) {
            return;
        }
        Resource[] more = new Resource[reads];
        int kept = Math.min(known, reads);
        for (int i = 0; i < reads; i++) {
            more[i] = i < kept ? recent(kept - 1 - i) : new Resource();
        }
        use(more);
        known = kept;
        newest = Math.max(0, kept - 1);
    }

    /// Peers may round what they were granted up to a power of two, as Linux does.
    private static int slots(int reads) {
        return reads <= 1 ? reads : Integer.highestOneBit(reads - 1) << 1;
    }

    /// Forgets all.
    void reset(int granted) {
        lineSize = 0;
        known = 0;
        newest = 0;
        takeLimit(granted);
        for (Resource resource : ring) {
            resource.pending = false;
        }
    }

    private void use(Resource[] resources) {
        ring = resources;
        line = new Resource[resources.length];
        lineHead = 0;
    }

    /// The newest for 0, the one before it for 1.
    private Resource recent(int age) {
        return ring[(newest - age + ring.length) % ring.length];
    }

    boolean isEmpty() {
        return lineSize == 0;
    }

    /// Whether the peer has more READs and atomics out than it was granted. A repetition does not count: a peer that
    /// goes on has the answer, and the network may deliver a request twice.
    boolean isFull() {
        if (ring.length == 0) {
            return true;
        }
        Resource oldest = ring[(newest + 1) % ring.length];
        return oldest.pending && !oldest.served;
    }

    void addRead(int psn, int packets, long readAddress, int key, long bytes) {
        add(Opcode.RC_RDMA_READ_REQUEST, psn, packets, readAddress, key, bytes);
    }

    /// One that is carried out already, and answered by one packet without bytes of memory.
    void addExecuted(Opcode opcode, int psn, long target, int key, long found) {
        add(opcode, psn, 1, target, key, 0).original = found;
    }

    private Resource add(Opcode opcode, int psn, int packets, long readAddress, int key, long bytes) {
        newest = (newest + 1) % ring.length;
        known = Math.min(known + 1, ring.length);
        Resource resource = ring[newest];
        if (resource.pending) {
            leaveLine(resource);
        }
        resource.served = false;
        resource.request = opcode;
        resource.firstPsn = psn;
        resource.lastPsn = Psn.add(psn, packets - 1);
        resource.address = readAddress;
        resource.rkey = key;
        resource.length = bytes;
        schedule(resource, psn, resource.lastPsn, bytes);
        return resource;
    }

    private void schedule(Resource resource, int from, int to, long end) {
        resource.startPsn = from;
        resource.nextPsn = from;
        resource.endPsn = to;
        resource.endOffset = end;
        if (!resource.pending) {
            resource.pending = true;
            enterLine(resource);
        }
    }

    /// Answers leave in the order of their PSNs, also those that are given again.
    private void enterLine(Resource resource) {
        int at = lineSize++;
        while (at > 0 && Psn.isAfter(inLine(at - 1).firstPsn, resource.firstPsn)) {
            line[(lineHead + at) % line.length] = inLine(at - 1);
            at--;
        }
        line[(lineHead + at) % line.length] = resource;
    }

    private Resource inLine(int at) {
        return line[(lineHead + at) % line.length];
    }

    private void leaveLine(Resource resource) {
        resource.pending = false;
        int kept = 0;
        for (int i = 0; i < lineSize; i++) {
            Resource other = inLine(i);
            if (other != resource) {
                line[(lineHead + kept++) % line.length] = other;
            }
        }
        lineSize = kept;
    }

    /// Serves a READ again that was seen before, from its PSN on. False when it is not one of the last, or asks for
    /// something else than it did then: such a request is dropped.
    boolean replayRead(int psn, int packets, long readAddress, int key, long bytes, int mtu) {
        Resource resource = find(Opcode.RC_RDMA_READ_REQUEST, psn);
        if (resource == null) {
            return false;
        }
        long skipped = (long) Psn.distance(psn, resource.firstPsn) * mtu;
        if (key != resource.rkey || readAddress != resource.address + skipped || bytes > resource.length - skipped) {
            return false;
        }
        boolean stillToCome = resource.pending && resource.startPsn == psn && resource.nextPsn == psn;
        if (!stillToCome) {
            schedule(resource, psn, Psn.add(psn, packets - 1), skipped + bytes);
        }
        return true;
    }

    /// As [#replayRead], for one that was carried out once and is not carried out again.
    boolean replayExecuted(Opcode opcode, int psn, long target, int key) {
        Resource resource = find(opcode, psn);
        if (resource == null || target != resource.address || key != resource.rkey) {
            return false;
        }
        if (!resource.pending) {
            schedule(resource, psn, psn, 0);
        }
        return true;
    }

    /// The request of that kind whose answer has that PSN, or null.
    private Resource find(Opcode opcode, int psn) {
        for (int age = 0; age < known; age++) {
            Resource resource = recent(age);
            if (resource.has(psn)) {
                return resource.request == opcode ? resource : null;
            }
        }
        return null;
    }

    /// The first in line. What follows speaks of it.
    private Resource first() {
        return line[lineHead];
    }

    /// Whether it was answered in full before.
    boolean isRepeat() {
        return first().served;
    }

    /// Gives it up.
    void drop() {
        leaveLine(first());
    }

    Opcode request() {
        return first().request;
    }

    long original() {
        return first().original;
    }

    int psn() {
        return first().nextPsn;
    }

    boolean isFirst() {
        return first().nextPsn == first().startPsn;
    }

    boolean isLast() {
        return first().nextPsn == first().endPsn;
    }

    int key() {
        return first().rkey;
    }

    long address(int mtu) {
        return first().address + first().offset(mtu);
    }

    int payload(int mtu) {
        return (int) Math.min(mtu, first().endOffset - first().offset(mtu));
    }

    /// One packet of the answer is out.
    void advance() {
        Resource resource = first();
        if (resource.nextPsn == resource.endPsn) {
            resource.pending = false;
            resource.served = true;
            lineHead = (lineHead + 1) % line.length;
            lineSize--;
        } else {
            resource.nextPsn = Psn.next(resource.nextPsn);
        }
    }
}
