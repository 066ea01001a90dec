package io.verbena.soft.shard;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.UnixSocket;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Lets processes share an address. One process at the address keeps the door: it listens on a Unix socket and hands
/// the [AddressSockets] out. The others are connected to it, and one of them takes over when it ends. So each process
/// that ends is noticed: by the keeper, or, when it was the keeper, by all.
///
/// Each process has a side door besides, where it hands out the same, for newcomers whom the keeper does not answer.
final class AddressDoor {
    private static final Logger LOG = System.getLogger(AddressDoor.class.getName());

    private static final long SHORTEST_PAUSE_NS = 1_000_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000_000;
    private static final long LONGEST_END_NS = 10_000_000_000L;
    private static final long FOR_EVER = 0;

    private static final int POLL_BYTES = 8;
    private static final int EVENTS_AT = 4;
    private static final int RETURNED_AT = 6;
    private static final short POLLIN = 1;

    private final String address;
    private final String name;
    private volatile boolean closed;

    /// Null until the door is open.
    private AddressSockets sockets;

    private AddressTable table;
    private int[] wake;
    private Thread thread;

    // Of the thread, once there is one.
    private UnixSocket listener;
    private UnixSocket keeper;
    /// Null when somebody else has its name.
    private UnixSocket side;

    private final List<UnixSocket> members = new ArrayList<>();
    private long pauseNs = SHORTEST_PAUSE_NS;

    /// @param keeper a connection to the process that keeps the door, or null when this one shall
    AddressDoor(String address, UnixSocket keeper) {
        this.address = address;
        this.name = Entrance.name(address);
        this.keeper = keeper;
    }

    /// Lets others connect, unless another process does; they are not served before the door is open.
    boolean listen() {
        listener = UnixSocket.listen(name);
        return listener != null;
    }

    /// @param handedOut to those who enter
    /// @param cleanedUp when a process at the address has ended
    /// @param shard the first one of this process
    void open(AddressSockets handedOut, AddressTable cleanedUp, int shard) {
        side = UnixSocket.listen(Entrance.sideName(address, shard));
        sockets = handedOut;
        table = cleanedUp;
        int[] pipe = new int[2];
        DescriptorCalls.makePipe(pipe);
        wake = pipe;
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    if (listener == null && keeper == null) {
                        takePlace();
                    } else {
                        attend();
                    }
                } catch (RuntimeException e) {
                    LOG.log(Level.WARNING, () -> "at the door of " + address + ": " + e.getMessage(), e);
                    pause();
                }
            }
        } finally {
            closeSockets();
        }
    }

    /// Keeps the door, or stays with who does.
    private void takePlace() {
        listener = UnixSocket.listen(name);
        if (listener == null) {
            keeper = Entrance.of(address).keeper();
            if (keeper != null && !keeper.send(Entrance.STAY)) {
                keeper.close();
                keeper = null;
            }
        }
        if (listener == null && keeper == null) {
            pause();
        } else {
            pauseNs = SHORTEST_PAUSE_NS;
            cleanUp();
        }
    }

    /// Longer each time, so that what fails again and again takes no processor.
    private void pause() {
        Pause.of(pauseNs);
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
    }

    /// Waits until something happens, and sees to it.
    private void attend() {
        List<UnixSocket> watched = new ArrayList<>(members);
        watched.add(listener == null ? keeper : listener);
        if (side != null) {
            watched.add(side);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment polls = arena.allocate((watched.size() + 1L) * POLL_BYTES, Integer.BYTES);
            for (int i = 0; i <= watched.size(); i++) {
                int fd = i < watched.size() ? watched.get(i).fd() : wake[0];
                polls.set(JAVA_INT, (long) i * POLL_BYTES, fd);
                polls.set(JAVA_SHORT, (long) i * POLL_BYTES + EVENTS_AT, POLLIN);
            }
            int ready = DescriptorCalls.poll(polls.address(), watched.size() + 1, timeout(arena));
            if (ready < 0) {
                pause();
                return;
            }
            if (ready == 0 && isSomebodyMissing()) {
                cleanUp();
            }
            for (int i = 0; i < watched.size() && !closed; i++) {
                if (polls.get(JAVA_SHORT, (long) i * POLL_BYTES + RETURNED_AT) != 0) {
                    onEvent(watched.get(i));
                }
            }
        }
    }

    /// The keeper looks now and then, in case that a process ended before it was connected to this one.
    private long timeout(Arena arena) {
        if (!isSomebodyMissing()) {
            return FOR_EVER;
        }
        MemorySegment timespec = arena.allocate(JAVA_LONG, 2);
        timespec.setAtIndex(JAVA_LONG, 0, 1);
        return timespec.address();
    }

    private boolean isSomebodyMissing() {
        if (listener == null) {
            return false;
        }
        Set<Long> known = members.stream().map(UnixSocket::pid).collect(Collectors.toSet());
        known.add(ProcessHandle.current().pid());
        return table.isHeldByOthersThan(known);
    }

    private void onEvent(UnixSocket socket) {
        if (socket == listener || socket == side) {
            UnixSocket member = socket.accept();
            if (member == null) {
                pause(); // too many open files, perhaps: the connection waits
            } else if (member.isOfThisUser()) {
                pauseNs = SHORTEST_PAUSE_NS;
                members.add(member);
            } else {
                member.close();
            }
        } else if (!serve(socket)) {
            socket.close();
            members.remove(socket);
            keeper = socket == keeper ? null : keeper;
            cleanUp();
        }
    }

    /// False when the other end is gone.
    private boolean serve(UnixSocket socket) {
        UnixSocket.Message message = socket.receive(0, Duration.ZERO);
        return message != null
                && (message.kind() != Entrance.ENTER || socket.send(Entrance.WELCOME, sockets.descriptors()));
    }

    private void cleanUp() {
        try {
            table.removeEnded();
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, () -> "cleaning up behind a process at " + address + ": " + e.getMessage(), e);
        }
    }

    private void closeSockets() {
        members.forEach(UnixSocket::close);
        if (listener != null) {
            listener.close();
        }
        if (keeper != null) {
            keeper.close();
        }
        if (side != null) {
            side.close();
        }
    }

    /// False when the thread does not end.
    boolean close() {
        if (thread == null) {
            closeSockets();
            closePipe();
            return true;
        }
        closed = true;
        try (Arena arena = Arena.ofConfined()) {
            DescriptorCalls.write(wake[1], arena.allocate(JAVA_BYTE).address(), 1);
        }
        boolean interrupted = false;
        long startNs = NanoClock.SYSTEM.nowNs();
        while (thread.isAlive() && NanoClock.SYSTEM.nowNs() - startNs < LONGEST_END_NS) {
            try {
                thread.join(Duration.ofMillis(100));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            return false;
        }
        closePipe();
        return true;
    }

    private void closePipe() {
        if (wake != null) {
            DescriptorCalls.close(wake[0]);
            DescriptorCalls.close(wake[1]);
        }
    }
}
