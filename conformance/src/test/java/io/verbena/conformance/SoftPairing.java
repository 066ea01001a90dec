package io.verbena.conformance;

import io.verbena.conformance.bench.Pairing;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Two software devices in one JVM.
abstract class SoftPairing implements Pairing {
    private final RdmaProvider provider;
    private final Availability availability;
    private final InetAddress left;
    private final InetAddress right;
    private final InetAddress silent;
    private DatagramSocket silentPort;

    /// @param silent an address where nobody answers; null when there is none for sure
    /// @param path the path of reliable connections, `udp` or `auto`
    SoftPairing(String path, InetAddress left, InetAddress right, InetAddress silent) {
        System.setProperty("verbena.soft.path", path);
        this.left = left;
        this.right = right;
        this.silent = silent;
        Optional<RdmaProvider> soft =
                Rdma.providers().stream().filter(p -> p.name().equals("soft")).findFirst();
        provider = soft.orElse(null);
        availability = soft.map(RdmaProvider::availability)
                .orElse(Availability.unavailable("no provider soft", "put io.verbena.soft on the class path"));
    }

    @Override
    public Availability availability() {
        return availability;
    }

    @Override
    public InetAddress leftAddress() {
        return left;
    }

    @Override
    public InetAddress rightAddress() {
        return right;
    }

    @Override
    public Optional<InetAddress> silentAddress() {
        if (silent == null) {
            return Optional.empty();
        }
        try {
            // without this socket, the device knows that there is no peer
            silentPort = silentPort == null ? new DatagramSocket(new InetSocketAddress(silent, 4791)) : silentPort;
            return Optional.of(silent);
        } catch (SocketException taken) {
            return Optional.empty();
        }
    }

    @Override
    public Context openLeft() {
        return open(left);
    }

    @Override
    public Context openRight() {
        return open(right);
    }

    private Context open(InetAddress address) {
        return device(address).open();
    }

    private Device device(InetAddress address) {
        return provider.device(address.getHostAddress()).orElseThrow();
    }

    @Override
    public ConnectionManager leftConnections() {
        return provider.connectionManager();
    }

    @Override
    public ConnectionManager rightConnections() {
        return provider.connectionManager();
    }

    /// The software device has every verb.
    @Override
    public boolean mayLack(String verb) {
        return false;
    }

    @Override
    public List<Thread> threads() {
        Thread[] all = new Thread[1000];
        int count = Thread.currentThread().getThreadGroup().enumerate(all);
        return Arrays.stream(all, 0, count)
                .filter(thread -> thread.getName().startsWith("verbena"))
                .filter(thread -> Stream.of(left, right)
                        .anyMatch(address ->
                                thread.getName().contains(device(address).name())))
                .toList();
    }
}
