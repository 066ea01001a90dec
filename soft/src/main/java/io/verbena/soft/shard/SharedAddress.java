package io.verbena.soft.shard;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.UnixSocket;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

    /// Joins the processes that share an address, or is the first one there; null when it cannot be shared: somebody
    /// else has it, or the system refuses.
    ///
    /// @param address its text, with the interface where one is needed
    /// @throws RdmaException when processes of this user share it, and this one cannot join them
    public static SharedAddress open(String address, SocketOpener opener, RandomGenerator random) {
        return new AddressOpening(address, opener, random).open();
    }

    /// The first shard of this process. Closes the sockets when it fails.
    static SharedAddress first(String address, AddressSockets sockets, AddressDoor door, RandomGenerator random) {
        AddressTable table = null;
        try {
            table = new AddressTable(address, sockets);
            table.requireVersion();
            SharedAddress first = new SharedAddress(sockets, table, door, new AtomicInteger(), table.claim(random));
            door.open(sockets, table, first.shard);
            return first;
        } catch (RuntimeException | Error e) {
            if (table != null) {
                table.close();
            }
            sockets.close();
            throw e;
        }
    }

    /// Why processes of this user cannot share an address, if another user has taken the name by which they would find
    /// each other: "process 12 of user 1000"; empty otherwise.
    public static String squatter(String address) {
        return Entrance.squatter(address);
    }

    /// The process that keeps the door of an address; 0 when there is none.
    public static long keeper(String address) {
        UnixSocket keeper = Entrance.of(address).keeper();
        if (keeper == null) {
            return 0;
        }
        try (keeper) {
            return keeper.pid();
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

    /// Whether packets of the same peers may come to other shards, as of a moment ago.
    public boolean isShared() {
        return table.isShared();
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
            table.abandon(shard);
            System.getLogger(SharedAddress.class.getName()).log(System.Logger.Level.WARNING, stuck.getMessage(), stuck);
        }
        // A thread that does not end may still use them, and is as good as gone with its process.
        if (users.decrementAndGet() == 0 && door.close()) {
            table.close();
            sockets.close();
        }
    }
}
