package io.verbena.sockets;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The connections of a hub. Each has a place, which is part of the numbers of its requests, so that completions find
/// it.
final class HubStreams {
    static final int FIRST_COMPLETIONS = 1024;

    private static final int PLACE_SHIFT = 33;
    private static final long RECEIVE = 1L << 32;

    private final CompletionQueue cq;
    private final int mostCompletions;
    private volatile RdmaStream[] places = new RdmaStream[16];
    private final Set<RdmaStream> closing = ConcurrentHashMap.newKeySet();
    private int completions;

    HubStreams(CompletionQueue cq, int mostCompletions) {
        this.cq = cq;
        this.mostCompletions = mostCompletions;
    }

    /// Gives a connection a place, and the completion queue room for its requests.
    synchronized int add(RdmaStream stream, int requests) {
        reserve(requests);
        RdmaStream[] now = places;
        int place = 0;
        while (place < now.length && now[place] != null) {
            place++;
        }
        now = Arrays.copyOf(now, place < now.length ? now.length : 2 * now.length);
        now[place] = stream;
        places = now;
        return place;
    }

    private void reserve(int requests) {
        int needed = completions + requests;
        if (needed > cq.capacity()) {
            if (needed > mostCompletions) {
                throw new RdmaException(
                        "make room for a connection",
                        Errno.ENOMEM,
                        "the device has no completion queue for %d completions; lower RDMA_SQSIZE or RDMA_RQSIZE"
                                .formatted(needed));
            }
            cq.resize(Math.max(needed, Math.min(2 * cq.capacity(), mostCompletions)));
        }
        completions = needed;
    }

    synchronized void remove(int place, int requests) {
        RdmaStream[] now = places.clone();
        now[place] = null;
        places = now;
        completions -= requests;
    }

    static long receiveId(int place) {
        return (long) place << PLACE_SHIFT | RECEIVE;
    }

    static long sendId(int place, int number) {
        return (long) place << PLACE_SHIFT | number & 0xFFFF_FFFFL;
    }

    static boolean isReceive(long wrId) {
        return (wrId & RECEIVE) != 0;
    }

    static int number(long wrId) {
        return (int) wrId;
    }

    /// Null when the connection is gone.
    RdmaStream find(long wrId, int qpNumber) {
        RdmaStream[] now = places;
        int place = (int) (wrId >>> PLACE_SHIFT);
        RdmaStream stream = place < now.length ? now[place] : null;
        return stream != null && stream.qpNumber() == qpNumber ? stream : null;
    }

    // ---- connections that the program has closed, and that still have to tell the peer ----

    void addClosing(RdmaStream stream) {
        closing.add(stream);
    }

    void removeClosing(RdmaStream stream) {
        closing.remove(stream);
    }

    boolean hasClosing() {
        return !closing.isEmpty();
    }

    void checkClosing(long nowNs) {
        if (!closing.isEmpty()) {
            closing.forEach(stream -> stream.ending().check(nowNs));
        }
    }

    RdmaStream[] all() {
        return places;
    }
}
