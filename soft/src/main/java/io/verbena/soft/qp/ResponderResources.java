package io.verbena.soft.qp;

import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.Psn;

/// The responder resources of a connection: READs, atomics and FLUSHes whose responses are pending, and the last ones
/// served. A duplicate request is answered from its resource: a READ from memory, an atomic with its first result.
/// There are as many as the peer may have in flight. Owned by the engine.
final class ResponderResources {
    /// One request with its response.
    private static final class Resource {
        Opcode request;
        int firstPsn;
        int lastPsn;
        int rkey;
        long address;
        long length;
        /// The value before an atomic.
        long original;
        /// The first PSN of the response (later than `firstPsn` when only the rest was requested again), the next one
        /// to send, and the end.
        int startPsn;

        int nextPsn;
        int endPsn;
        /// The end of the response, in bytes from the start of the READ.
        long endOffset;

        boolean pending;
        /// Whether the full response was sent before, so that the pending one is a repetition.
        boolean served;

        boolean has(int psn) {
            return !Psn.isBefore(psn, firstPsn) && !Psn.isAfter(psn, lastPsn);
        }

        long offset(int mtu) {
            return (long) Psn.distance(nextPsn, firstPsn) * mtu;
        }
    }

    private static final Resource[] NONE = {};

    /// How many there may be.
    private int limit;
    /// A ring: the next request replaces the oldest resource, which is behind the newest. The ring is made for the
    /// first request, and each resource when it is first needed: most connections never get a READ, and 128 resources
    /// take more memory than all the rest of a queue pair.
    private Resource[] ring = NONE;

    private int newest;
    private int known;
    /// Resources with pending responses, in order.
    private Resource[] line = NONE;

    private int lineHead;
    private int lineSize;

    /// Changes the number of resources when no response is pending. Served requests are kept, because their responses
    /// may have been lost.
    void applyLimit(int granted) {
        int reads = slots(granted);
        if (lineSize > 0 || limit == reads) {
            return;
        }
        limit = reads;
        if (ring.length == 0) {
            return;
        }
        Resource[] other = new Resource[reads];
        int kept = Math.min(known, reads);
        for (int i = 0; i < kept; i++) {
            other[i] = recent(kept - 1 - i);
        }
        use(other);
        known = kept;
        newest = Math.max(0, kept - 1);
    }

    /// Peers may round the granted number up to a power of two, as Linux does.
    private static int slots(int reads) {
        return reads <= 1 ? reads : Integer.highestOneBit(reads - 1) << 1;
    }

    /// Forgets all.
    void reset(int granted) {
        lineSize = 0;
        known = 0;
        newest = 0;
        applyLimit(granted);
        for (Resource resource : ring) {
            if (resource != null) {
                resource.pending = false;
            }
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

    /// Whether the peer has more READs and atomics in flight than it was granted. A repetition does not count: a peer
    /// that continues has the response, and the network may duplicate a request.
    boolean isFull() {
        if (ring.length == 0) {
            return limit == 0;
        }
        Resource oldest = ring[(newest + 1) % ring.length];
        return oldest != null && oldest.pending && !oldest.served;
    }

    void addRead(int psn, int packets, long readAddress, int key, long bytes) {
        add(Opcode.RC_RDMA_READ_REQUEST, psn, packets, readAddress, key, bytes);
    }

    /// Adds a request that is executed already, with a response of one packet without payload.
    void addExecuted(Opcode opcode, int psn, long target, int key, long found) {
        add(opcode, psn, 1, target, key, 0).original = found;
    }

    private Resource add(Opcode opcode, int psn, int packets, long readAddress, int key, long bytes) {
        if (ring.length == 0) {
            use(new Resource[limit]);
        }
        newest = (newest + 1) % ring.length;
        known = Math.min(known + 1, ring.length);
        if (ring[newest] == null) {
            ring[newest] = new Resource();
        }
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

    /// Responses are sent in the order of their PSNs, even repeated ones.
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

    /// Answers a duplicate READ from its PSN on. False when no resource fits; such a request is dropped.
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

    /// Like [#replayRead], for a request that must not be executed again.
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

    /// The resource of that opcode whose response includes that PSN, or null.
    private Resource find(Opcode opcode, int psn) {
        for (int age = 0; age < known; age++) {
            Resource resource = recent(age);
            if (resource.has(psn)) {
                return resource.request == opcode ? resource : null;
            }
        }
        return null;
    }

    /// The resource whose response is sent next. The methods below are about it.
    private Resource first() {
        return line[lineHead];
    }

    /// Whether its full response was sent before.
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

    /// One packet of the response was sent.
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
