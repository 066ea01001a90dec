package io.verbena.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Random;

/// Two software devices in one JVM that speak RoCEv2 over UDP, each on a loopback address that was free at the start.
final class SoftOverUdp extends SoftPairing {
    private static final int ROCE_PORT = 4791;
    private static final Random RANDOM = new Random();

    SoftOverUdp() {
        super(freeAddress(), freeAddress(), freeAddress());
    }

    private static InetAddress freeAddress() {
        for (int attempt = 0; attempt < 100; attempt++) {
            byte[] raw = {
                127, (byte) (20 + RANDOM.nextInt(200)), (byte) RANDOM.nextInt(256), (byte) (1 + RANDOM.nextInt(250))
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
}
