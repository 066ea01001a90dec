package io.verbena.soft.shard;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.SealedMemory;
import io.verbena.soft.os.UnixSocket;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// An address that processes of one user share: UDP sockets with the same port (`SO_REUSEPORT`), numbered in the order
/// of their binding, between which the kernel chooses by a [SteeringProgram].
///
/// The first process opens all sockets. Each that comes later gets all of them, and the [AddressPage], through the
/// [AddressDoor] of one that is there. So the end of a process changes no numbers and loses no packet of another one.
/// The kernel delivers every packet to the process that it is for; none is passed on from process to process.
///
/// An object is one device's part of the address: a shard, which is a socket and a range of numbers. Safe from any
/// thread.
public final class SharedAddress implements ServicePorts, AutoCloseable {
    /// How long an address may have no open door: while its first process opens it, while another one takes it over,
    /// and while the system closes the sockets of the last one.
    private static final long LONGEST_WAIT_NS = 30_000_000_000L;

    /// How often in a row an address must be seen with one socket only, and no door, until it is another program's. It
    /// looks like that, too, when the system closes the last socket of a process of ours. A number and no time, because
    /// on a busy machine the next look may come late.
    private static final int MOST_LOOKS = 100;

    private static final long PAUSE_NS = 1_000_000;
    private static final int MOST_TO_DRAIN = 1 << 20;

    private final AddressSockets sockets;
    private final AddressTable table;
    private final int shard;
    private final ShardNumbers numbers;
    private final AddressDoor door;

    /// How many shards of this process use sockets, table and door.
    private final AtomicInteger users;

    private SharedAddress(
            AddressSockets sockets, AddressTable table, AddressDoor door, AtomicInteger users, int shard) {
        this.sockets = sockets;
        this.table = table;
        this.door = door;
        this.users = users;
        this.shard = shard;
        this.numbers = table.numbers(shard);
        drain();
        users.incrementAndGet();
    }

    /// Another shard of the same device.
    ///
    /// @throws RdmaException `EBUSY` when more than half of the shards of the address are held
    public SharedAddress another(RandomGenerator random) {
        return new SharedAddress(sockets, table, door, users, table.claimFurther(random));
    }

    /// Joins the processes that share an address, or is the first one there; null when somebody else has it.
    ///
    /// @param address its text, with the interface where one is needed
    public static SharedAddress open(String address, SocketOpener opener, RandomGenerator random) {
        long startNs = NanoClock.SYSTEM.nowNs();
        int looks = 0;
        while (true) {
            SharedAddress joined = join(address, random);
            if (joined != null) {
                return joined;
            }
            // The door before the sockets: processes that come now wait there.
            AddressDoor door = new AddressDoor(address, null);
            boolean listens = door.listen();
            int first = listens ? opener.openFirst() : -Errno.EADDRINUSE.number();
            if (first >= 0) {
                return begin(address, first, door, opener, random);
            }
            door.close();
            SocketOpener.Bound bound = opener.bound();
            if (first != -Errno.EADDRINUSE.number() || bound == SocketOpener.Bound.BY_ANOTHER_USER) {
                return null;
            }
            looks = !listens || bound == SocketOpener.Bound.SEVERAL ? 0 : looks + 1;
            if (looks == MOST_LOOKS || NanoClock.SYSTEM.nowNs() - startNs > LONGEST_WAIT_NS) {
                return null;
            }
            Pause.of(PAUSE_NS);
        }
    }

    /// The process that keeps the door of an address; 0 when there is none.
    public static long keeper(String address) {
        UnixSocket keeper = AddressDoor.connect(address);
        if (keeper == null) {
            return 0;
        }
        try (keeper) {
            return keeper.pid();
        }
    }

    private static SharedAddress join(String address, RandomGenerator random) {
        UnixSocket keeper = AddressDoor.connect(address);
        if (keeper == null) {
            return null;
        }
        AddressDoor door = new AddressDoor(address, keeper);
        AddressSockets sockets;
        try {
            sockets = AddressDoor.enter(keeper, address);
        } catch (RuntimeException e) {
            door.close();
            throw e;
        }
        if (sockets == null) {
            door.close();
            return null;
        }
        return open(address, sockets, door, random);
    }

    private static SharedAddress begin(
            String address, int first, AddressDoor door, SocketOpener opener, RandomGenerator random) {
        int[] fds = new int[AddressPage.SHARDS];
        Arrays.fill(fds, -1);
        fds[0] = first;
        SealedMemory page;
        try {
            for (int i = 1; i < fds.length; i++) {
                fds[i] = opener.openNext();
            }
            page = SealedMemory.create(AddressPage.BYTES, false);
        } catch (RuntimeException e) {
            door.close();
            AddressSockets.closeAll(fds);
            throw e;
        }
        AddressSockets sockets = new AddressSockets(fds, page);
        sockets.page().begin();
        return open(address, sockets, door, random);
    }

    private static SharedAddress open(
            String address, AddressSockets sockets, AddressDoor door, RandomGenerator random) {
        AddressTable table = new AddressTable(address, sockets);
        try {
            table.requireVersion();
            SharedAddress first = new SharedAddress(sockets, table, door, new AtomicInteger(), table.claim(random));
            door.open(sockets, table);
            return first;
        } catch (RuntimeException e) {
            table.close();
            door.close();
            sockets.close();
            throw e;
        }
    }

    /// What is left in the socket was for the shard's last holder.
    private void drain() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(JAVA_BYTE);
            int left = MOST_TO_DRAIN;
            while (left-- > 0 && DescriptorCalls.read(fd(), one.address(), 1) >= 0) {}
        }
    }

    /// The socket of the shard, until this object is closed.
    public int fd() {
        return sockets.fds()[shard];
    }

    public ShardNumbers numbers() {
        return numbers;
    }

    /// Whether the kernel would join packets of this shard only, as of a moment ago.
    public boolean mayCoalesce() {
        return table.mayCoalesce();
    }

    /// The process of each shard that is held.
    public Map<Integer, Long> holders() {
        return table.holders();
    }

    @Override
    public boolean listen(long serviceId) {
        return table.listen(serviceId, shard);
    }

    @Override
    public void stopListening(long serviceId) {
        table.stopListening(serviceId, shard);
    }

    @Override
    public boolean isFree(long serviceId) {
        if (!table.isFree(serviceId, shard)) {
            table.removeEnded();
        }
        return table.isFree(serviceId, shard);
    }

    /// Lets the kernel join packets that arrive together, or ends that; false when that cannot be now.
    public boolean coalesce(boolean on) {
        return table.coalesce(shard, on);
    }

    /// Gives the shard back. No thread may use the socket any more.
    @Override
    public void close() {
        try {
            table.release(shard);
        } catch (RdmaException stuck) {
            // Another process is stopped in the middle of a change. Whoever keeps the door takes the shard back later.
            System.getLogger(SharedAddress.class.getName()).log(System.Logger.Level.WARNING, stuck.getMessage(), stuck);
        }
        // A thread that does not end may still use them, and is as good as gone with its process.
        if (users.decrementAndGet() == 0 && door.close()) {
            table.close();
            sockets.close();
        }
    }
}
