package io.verbena.soft.shard;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbena.soft.os.SocketCalls;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;

/// Gives the kernel the [SteeringProgram] that follows from the [AddressPage].
final class Steering {
    private static final int SOL_SOCKET = 1;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    private static final int PROGRAM_BYTES = 16;
    private static final int INSTRUCTION_BYTES = 8;

    private final String address;
    private final AddressPage page;
    private final int[] fds;

    Steering(String address, AddressSockets sockets) {
        this.address = address;
        this.page = sockets.page();
        this.fds = sockets.fds();
    }

    /// Only under the lock of the page.
    void update() {
        page.countHeld();
        long held = 0;
        for (int shard = 0; shard < AddressPage.SHARDS; shard++) {
            held |= page.pid(shard) == 0 ? 0 : 1L << shard;
        }
        List<AddressPage.Listener> listeners = page.listeners();
        int defaultShard = defaultShard(held, listeners);
        attach(
                Long.bitCount(held) == 1
                        ? SteeringProgram.always(defaultShard)
                        : SteeringProgram.build(held, defaultShard, steered(listeners, defaultShard)));
        page.isChanged(false);
    }

    /// The one that listens on most ports now, because the program needs nothing for what the default shard listens on.
    private static int defaultShard(long held, List<AddressPage.Listener> listeners) {
        int[] counts = new int[AddressPage.SHARDS];
        listeners.stream().filter(AddressPage.Listener::isActive).forEach(listener -> counts[listener.shard()]++);
        int best = held == 0 ? 0 : Long.numberOfTrailingZeros(held);
        for (int shard = 0; shard < AddressPage.SHARDS; shard++) {
            if ((held & 1L << shard) != 0 && counts[shard] > counts[best]) {
                best = shard;
            }
        }
        return best;
    }

    /// As many as the kernel takes, first those that listen still.
    private List<AddressPage.Listener> steered(List<AddressPage.Listener> listeners, int defaultShard) {
        List<AddressPage.Listener> others = listeners.stream()
                .filter(listener -> listener.shard() != defaultShard)
                .sorted(Comparator.comparing(listener -> !listener.isActive()))
                .toList();
        long active = others.stream().filter(AddressPage.Listener::isActive).count();
        if (active > SteeringProgram.MOST_LISTENERS) {
            throw new RdmaException(
                    "share " + address,
                    Errno.ENOMEM,
                    "its processes listen on %d ports, the most that processes which share an address can; close some, or"
                                    .formatted(SteeringProgram.MOST_LISTENERS)
                            + " use another address of this host");
        }
        return others.subList(0, Math.min(others.size(), SteeringProgram.MOST_LISTENERS));
    }

    /// With a `struct sock_fprog`.
    private void attach(byte[] code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(PROGRAM_BYTES, Long.BYTES);
            program.set(JAVA_SHORT, 0, (short) (code.length / INSTRUCTION_BYTES));
            program.set(ADDRESS, 8, arena.allocateFrom(JAVA_BYTE, code));
            int result = SocketCalls.setOption(fds[0], SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, program);
            if (result < 0) {
                throw new RdmaException(
                        "share " + address,
                        Errno.of(-result),
                        "the kernel refuses the program that distributes packets (SO_ATTACH_REUSEPORT_CBPF, error "
                                + -result + "); let the security profile allow it, or raise net.core.optmem_max");
            }
        }
    }
}
