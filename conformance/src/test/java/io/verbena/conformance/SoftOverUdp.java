package io.verbena.conformance;

import io.verbena.conformance.bench.Pairing;
import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Two software devices in one JVM that speak RoCEv2 over UDP, each on a loopback address that was free at the start.
final class SoftOverUdp implements Pairing {
    private static final int ROCE_PORT = 4791;

    private final Availability availability;
    private final RdmaProvider provider;
    private final InetAddress left;
    private final InetAddress right;
    private final InetAddress silent;

    SoftOverUdp() {
        Optional<RdmaProvider> soft =
                Rdma.providers().stream().filter(p -> p.name().equals("soft")).findFirst();
        provider = soft.orElse(null);
        availability = soft.map(RdmaProvider::availability)
                .orElse(Availability.unavailable("no provider soft", "put io.verbena.soft on the class path"));
        Random random = new Random();
        left = freeAddress(random);
        right = freeAddress(random);
        silent = freeAddress(random);
    }

    private static InetAddress freeAddress(Random random) {
        for (int attempt = 0; attempt < 100; attempt++) {
            byte[] raw = {
                127, (byte) (20 + random.nextInt(200)), (byte) random.nextInt(256), (byte) (1 + random.nextInt(250))
            };
            try (DatagramChannel channel = DatagramChannel.open()) {
                InetAddress address = InetAddress.getByAddress(raw);
                channel.bind(new InetSocketAddress(address, ROCE_PORT));
                return address;
            } catch (IOException taken) {
                continue;
            }
        }
        throw new UncheckedIOException(new IOException("no loopback address with a free UDP port " + ROCE_PORT));
    }

    @Override
    public String name() {
        return "soft-soft over UDP";
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
        return Optional.of(silent);
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
        return provider.device(address.getHostAddress()).orElseThrow().open();
    }

    @Override
    public ConnectionManager leftConnections() {
        return provider.connectionManager();
    }

    @Override
    public ConnectionManager rightConnections() {
        return provider.connectionManager();
    }

    @Override
    public List<Thread> threads() {
        Thread[] all = new Thread[1000];
        int count = Thread.currentThread().getThreadGroup().enumerate(all);
        return Arrays.stream(all, 0, count)
                .filter(thread -> thread.getName().startsWith("verbena"))
                .filter(thread -> thread.getName().contains(left.getHostAddress())
                        || thread.getName().contains(right.getHostAddress()))
                .toList();
    }
}
