package io.verbena.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Random;

/// Loopback addresses that no device has.
final class LoopbackAddresses {
    private static final int ROCE_PORT = 4791;
    private static final Random RANDOM = new Random();

    private LoopbackAddresses() {}

    static InetAddress free() {
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
}
