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

    /// What the keeper of the door hands out; null when there is none, or it ends. Then the connection is closed.
    ///
    /// @throws RdmaException `EADDRINUSE` when it does not answer, `EMFILE` when this process has too few descriptors
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
        UnixSocket.Message answer = keeper.receive(AddressPage.SHARDS + 1, PATIENCE);
        if (answer != null) {
            return sockets(answer);
        }
        if (NanoClock.SYSTEM.nowNs() - startNs < PATIENCE.toNanos()) {
            return null;
        }
        throw new RdmaException(
                verb(),
                Errno.EADDRINUSE,
                "process %d has it open and does not answer; if it is stopped, let it go on or end it"
                        .formatted(keeper.pid()));
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
