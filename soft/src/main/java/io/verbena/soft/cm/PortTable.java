package io.verbena.soft.cm;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/// Which ports are taken. A port belongs to an address; the any-address collides with all. Safe from any thread.
final class PortTable {
    /// The range Linux takes ephemeral ports from.
    static final int FIRST_EPHEMERAL = 32768;

    static final int LAST_EPHEMERAL = 60999;
    private static final int MOST = 0xFFFF;

    /// A port taken by one id.
    static final class Binding {
        private final PortSpace space;
        private final InetAddress address;
        private final int port;
        private final boolean reusable;
        private final AddressFamily family;

        private Binding(PortSpace space, InetAddress address, int port, boolean reusable, AddressFamily family) {
            this.space = space;
            this.address = address;
            this.port = port;
            this.reusable = reusable;
            this.family = family;
        }

        int port() {
            return port;
        }

        private Port place() {
            return new Port(space, port);
        }

        private boolean collidesWith(Binding other) {
            boolean any = address.isAnyLocalAddress() || other.address.isAnyLocalAddress();
            boolean sameAddress = any ? family.overlaps(other.family) : address.equals(other.address);
            return sameAddress && !(reusable && other.reusable);
        }
    }

    private record Port(PortSpace space, int number) {}

    private final Map<Port, List<Binding>> taken = new HashMap<>();
    private int nextEphemeral;

    /// @param start where ephemeral ports begin: processes that share an address should not all begin with the same
    PortTable(int start) {
        nextEphemeral = Math.floorMod(start, LAST_EPHEMERAL - FIRST_EPHEMERAL + 1);
    }

    /// Takes a port, any free one for 0.
    synchronized Binding bind(PortSpace space, InetAddress address, int port, boolean reusable) {
        return bind(space, address, port, reusable, AddressFamily.of(address, false), any -> true);
    }

    /// @param elsewhere whether other processes leave a port free
    synchronized Binding bind(
            PortSpace space,
            InetAddress address,
            int port,
            boolean reusable,
            AddressFamily family,
            IntPredicate elsewhere) {
        if (port < 0 || port > MOST) {
            throw new RdmaException("rdma_bind_addr", Errno.EINVAL, "port " + port + "; ports are 0 to " + MOST);
        }
        if (port == 0) {
            return bindEphemeral(space, address, reusable, family, elsewhere);
        }
        Binding binding = new Binding(space, address, port, reusable, family);
        if (!isFree(binding)) {
            throw taken(
                    port,
                    address,
                    "; close the other listener or choose another port, or set REUSE_ADDRESS on both ids");
        }
        if (!elsewhere.test(port)) {
            throw taken(port, address, " by another process, which listens; end it, or use another port");
        }
        return take(binding);
    }

    private static RdmaException taken(int port, InetAddress address, String remedy) {
        return new RdmaException(
                "rdma_bind_addr",
                Errno.EADDRINUSE,
                "port " + port + " of " + address.getHostAddress() + " is taken" + remedy);
    }

    /// A port that nobody has, not even one who would share it.
    private Binding bindEphemeral(
            PortSpace space, InetAddress address, boolean reusable, AddressFamily family, IntPredicate elsewhere) {
        int count = LAST_EPHEMERAL - FIRST_EPHEMERAL + 1;
        for (int i = 0; i < count; i++) {
            int port = FIRST_EPHEMERAL + nextEphemeral++ % count;
            nextEphemeral %= count;
            Binding probe = new Binding(space, address, port, false, family);
            if (isFree(probe) && elsewhere.test(port)) {
                return take(new Binding(space, address, port, reusable, family));
            }
        }
        throw new RdmaException(
                "rdma_bind_addr", Errno.EADDRNOTAVAIL, "no port is free; close ids that are not needed");
    }

    private boolean isFree(Binding binding) {
        return taken.getOrDefault(binding.place(), List.of()).stream().noneMatch(binding::collidesWith);
    }

    private Binding take(Binding binding) {
        taken.computeIfAbsent(binding.place(), place -> new ArrayList<>(1)).add(binding);
        return binding;
    }

    synchronized void release(Binding binding) {
        List<Binding> all = taken.get(binding.place());
        all.remove(binding);
        if (all.isEmpty()) {
            taken.remove(binding.place());
        }
    }
}
