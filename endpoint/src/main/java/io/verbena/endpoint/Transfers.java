package io.verbena.endpoint;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.HashMap;
import java.util.Map;

/// The long messages that were announced to the peer, which has not read them yet. Safe from any thread.
final class Transfers {
    private final ConnectionLink connection;
    private final int most;
    private final Map<Long, Pending> announced = new HashMap<>();
    private long numbers;

    /// That of the map, for readers without the lock.
    private volatile int count;

    /// @param most how many the peer lets this side announce
    Transfers(ConnectionLink connection, int most) {
        this.connection = connection;
        this.most = most;
    }

    /// The number of a new transfer; 0 when the peer has to read another one first.
    synchronized long add(int kind, Pending transfer) {
        if (!hasRoomFor(kind)) {
            return 0;
        }
        announced.put(++numbers, transfer);
        count = announced.size();
        return numbers;
    }

    /// Whether a message of that kind could be announced now. Requests leave one place for answers, and so do all
    /// messages where a handler answers requests: peers read answers always, and others only when their program asks
    /// for them.
    boolean hasRoomFor(int kind) {
        boolean leavesOne = kind == MessageHeader.REQUEST || kind == MessageHeader.MESSAGE && connection.hasHandler();
        return count < (leavesOne && most > 1 ? most - 1 : most);
    }

    /// It could not be announced.
    synchronized void remove(long number) {
        announced.remove(number);
        count = announced.size();
    }

    synchronized boolean isEmpty() {
        return announced.isEmpty();
    }

    /// The peer does not need the memory any more.
    void onDone(long number, boolean refused) {
        Pending transfer;
        synchronized (this) {
            transfer = announced.remove(number);
            count = announced.size();
        }
        if (transfer == null) {
            throw new IllegalStateException(
                    "the peer says that it has read long message " + number + ", which this side did not announce");
        }
        transfer.finish(
                refused
                        ? new RdmaException(
                                transfer.toString(),
                                Errno.EMSGSIZE,
                                connection.peer() + " does not accept messages of this length; raise its"
                                        + " EndpointOptions.mostMessageBytes, or send less")
                        : null);
    }

    void fail(RuntimeException reason) {
        Pending[] all;
        synchronized (this) {
            all = announced.values().toArray(Pending[]::new);
            announced.clear();
            count = 0;
        }
        for (Pending transfer : all) {
            transfer.finish(reason);
        }
    }
}
