package io.verbena.soft.shard;

import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/// How a process comes to its part of a [SharedAddress]: it joins those that are there, or is the first one.
final class AddressOpening {
    private static final Logger LOG = System.getLogger(AddressOpening.class.getName());

    /// How long an address may have no open door: while its first process opens it, while another one takes it over,
    /// and while the system closes the sockets of the last one.
    private static final long LONGEST_WAIT_NS = 30_000_000_000L;

    /// How often in a row an address must be seen with one socket only, and no door, until it is another program's. It
    /// looks like that, too, when the system closes the last socket of a process of ours. A number and no time, because
    /// on a busy machine the next look may come late.
    private static final int MOST_LOOKS = 100;

    private static final long PAUSE_NS = 1_000_000;

    private final String address;
    private final SocketOpener opener;
    private final RandomGenerator random;

    AddressOpening(String address, SocketOpener opener, RandomGenerator random) {
        this.address = address;
        this.opener = opener;
        this.random = random;
    }

    /// Null when the address cannot be shared: somebody else has it, or the system does not let this process be the
    /// first one.
    ///
    /// @throws RdmaException when processes of this user share it, and this one cannot join them
    SharedAddress open() {
        long startNs = NanoClock.SYSTEM.nowNs();
        int looks = 0;
        while (true) {
            Entrance entrance = entrance();
            if (entrance == null || entrance.isOfAnotherUser()) {
                return null;
            }
            SharedAddress joined = join(entrance);
            if (joined != null) {
                return joined;
            }
            Attempt attempt = begin();
            if (!attempt.isTaken()) {
                return attempt.begun;
            }
            SocketOpener.Bound bound = opener.bound();
            if (bound == SocketOpener.Bound.BY_ANOTHER_USER) {
                return null;
            }
            looks = !attempt.listens || bound == SocketOpener.Bound.SEVERAL ? 0 : looks + 1;
            if (looks == MOST_LOOKS || NanoClock.SYSTEM.nowNs() - startNs > LONGEST_WAIT_NS) {
                return null;
            }
            Pause.of(PAUSE_NS);
        }
    }

    /// Null where there are no such sockets.
    private Entrance entrance() {
        try {
            return Entrance.of(address);
        } catch (RdmaException e) {
            log(e);
            return null;
        }
    }

    /// Null when nobody is there any more.
    private SharedAddress join(Entrance entrance) {
        AddressSockets sockets = entrance.enter();
        if (sockets == null) {
            return null;
        }
        AddressDoor door = new AddressDoor(address, entrance.keeper());
        SharedAddress joined = null;
        try {
            joined = SharedAddress.first(address, sockets, door, random);
            return joined;
        } finally {
            if (joined == null) {
                door.close();
            }
        }
    }

    /// An attempt to be the first one.
    ///
    /// @param begun null when it failed
    /// @param listens whether the name of the door was free
    /// @param error of binding the first socket, negated
    private record Attempt(SharedAddress begun, boolean listens, int error) {
        private static final int TAKEN = -Errno.EADDRINUSE.number();

        boolean isTaken() {
            return begun == null && error == TAKEN;
        }
    }

    /// The door before the sockets: processes that come now wait there.
    private Attempt begin() {
        AddressDoor door = new AddressDoor(address, null);
        SharedAddress begun = null;
        try {
            if (!door.listen()) {
                return new Attempt(null, false, Attempt.TAKEN);
            }
            int first = opener.openFirst();
            begun = first < 0 ? null : begin(first, door);
            return new Attempt(begun, true, first);
        } catch (RdmaException e) {
            log(e);
            return new Attempt(null, true, 0);
        } finally {
            if (begun == null) {
                door.close();
            }
        }
    }

    private void log(RdmaException cause) {
        LOG.log(Level.DEBUG, () -> address + " cannot be shared with other processes: " + cause.getMessage(), cause);
    }

    /// Closes the socket when it fails.
    private SharedAddress begin(int first, AddressDoor door) {
        int[] fds = new int[AddressPage.SHARDS];
        Arrays.fill(fds, -1);
        fds[0] = first;
        SealedMemory page;
        try {
            for (int i = 1; i < fds.length; i++) {
                fds[i] = opener.openNext();
            }
            page = SealedMemory.create(AddressPage.BYTES, false);
        } catch (RuntimeException | Error e) { // without descriptors not even a class may be found
            AddressSockets.closeAll(fds);
            throw e;
        }
        AddressSockets sockets = new AddressSockets(fds, page);
        sockets.page().begin();
        return SharedAddress.first(address, sockets, door, random);
    }
}
