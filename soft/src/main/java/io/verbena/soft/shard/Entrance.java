package io.verbena.soft.shard;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.UnixSocket;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;

/// The way of a process into a shared address: a connection to the [AddressDoor] of one that is there.
final class Entrance {
    static final byte ENTER = 1;
    static final byte STAY = 2;
    static final byte WELCOME = 3;

    /// For a keeper that is still opening sockets, on a busy machine.
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// After that, one of the other processes is asked: the keeper may be stopped.
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(1);

    /// The sockets, the page, its lock, and those of door and device.
    private static final int DESCRIPTORS = 70;

    private final String address;

    /// Null when nobody keeps the door.
    private final UnixSocket keeper;

    private Entrance(String address, UnixSocket keeper) {
        this.address = address;
        this.keeper = keeper;
    }

    static Entrance of(String address) {
        return new Entrance(address, UnixSocket.connect(name(address)));
    }

    static String name(String address) {
        return "verbena-address-" + DescriptorCalls.user() + '-' + address;
    }

    /// Of the side door of the process whose first shard this is.
    static String sideName(String address, int shard) {
        return name(address) + "-shard-" + shard;
    }

    /// Whether the name of the door is taken by somebody whom it does not belong to. Closes the connection if so.
    boolean isOfAnotherUser() {
        boolean isOther = keeper != null && !keeper.isOfThisUser();
        if (isOther) {
            keeper.close();
        }
        return isOther;
    }

    /// A connection to the process that keeps the door; null when there is none, or it is another user's.
    UnixSocket keeper() {
        return keeper == null || isOfAnotherUser() ? null : keeper;
    }

    /// Who has the name of the door, if that is another user: "process 12 of user 1000"; empty otherwise.
    static String squatter(String address) {
        UnixSocket found = UnixSocket.connect(name(address));
        if (found == null) {
            return "";
        }
        try (found) {
            return found.isOfThisUser() ? "" : "process %d of user %d".formatted(found.pid(), found.user());
        }
    }

    /// What the keeper of the door hands out, or another process; null when there is no keeper, or it ends. Then the
    /// connection is closed.
    ///
    /// @throws RdmaException `EADDRINUSE` when nobody answers, `EMFILE` when this process has too few descriptors
    AddressSockets enter() {
        if (keeper == null) {
            return null;
        }
        AddressSockets sockets = null;
        try {
            sockets = ask();
            return sockets;
        } finally {
            if (sockets == null) {
                keeper.close();
            }
        }
    }

    private AddressSockets ask() {
        long startNs = NanoClock.SYSTEM.nowNs();
        if (!keeper.send(ENTER)) {
            return null;
        }
        UnixSocket.Message answer = keeper.receive(AddressPage.SHARDS + 1, SHORT_PATIENCE);
        if (answer == null && leftNs(startNs, SHORT_PATIENCE) == 0) {
            answer = askOthers(startNs);
        }
        if (answer == null && leftNs(startNs, SHORT_PATIENCE) == 0) {
            answer = keeper.receive(AddressPage.SHARDS + 1, Duration.ofNanos(leftNs(startNs, PATIENCE)));
        }
        if (answer == null && leftNs(startNs, PATIENCE) == 0) {
            throw new RdmaException(
                    verb(),
                    Errno.EADDRINUSE,
                    "process %d has it open and does not answer; if it is stopped, let it go on or end it"
                            .formatted(keeper.pid()));
        }
        return answer == null ? null : sockets(answer);
    }

    private static long leftNs(long startNs, Duration patience) {
        return Math.max(0, patience.toNanos() - (NanoClock.SYSTEM.nowNs() - startNs));
    }

    /// Each process has a side door, where it hands out the same. Null when none answers.
    private UnixSocket.Message askOthers(long startNs) {
        UnixSocket.Message answer = null;
        for (int shard = 0; shard < AddressPage.SHARDS && answer == null && leftNs(startNs, PATIENCE) > 0; shard++) {
            UnixSocket other = UnixSocket.connect(sideName(address, shard));
            if (other != null) {
                try (other) {
                    boolean asked = other.isOfThisUser() && other.send(ENTER);
                    answer = asked ? other.receive(AddressPage.SHARDS + 1, SHORT_PATIENCE) : null;
                }
            }
        }
        return answer;
    }

    private String verb() {
        return "open soft device " + address;
    }

    private AddressSockets sockets(UnixSocket.Message answer) {
        if (answer.isCut()) {
            AddressSockets.closeAll(answer.descriptors());
            throw new RdmaException(
                    verb(),
                    Errno.EMFILE,
                    "other processes have it open, and to join them this one needs about %d descriptors; raise ulimit -n, or"
                                    .formatted(DESCRIPTORS)
                            + " close files");
        }
        AddressSockets sockets = AddressSockets.of(answer.descriptors());
        if (sockets == null) {
            throw AddressTable.otherVersion(address);
        }
        return sockets;
    }
}
