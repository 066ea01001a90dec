package io.verbena.junit;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/// A loopback address that no other test has, in this process or another one, until it is closed.
final class LoopbackAddress implements AutoCloseable {
    private static final int ROCE_PORT = 4791;

    /// Tests hold this UDP port of the addresses that they use. The port of RoCEv2 must stay free for devices.
    private static final int HOLD_PORT = 47910;

    private static final int ATTEMPTS = 64;

    private final InetAddress address;
    private final DatagramSocket hold;

    private LoopbackAddress(InetAddress address, DatagramSocket hold) {
        this.address = address;
        this.hold = hold;
    }

    /// Not from the test's seed: two processes with the same seed would compete for the same addresses.
    static LoopbackAddress reserve() {
        RandomGenerator random = new SecureRandom();
        for (int i = 0; i < ATTEMPTS; i++) {
            LoopbackAddress reserved = tryReserve(InetAddress.ofLiteral(
                    "127.%d.%d.%d".formatted(random.nextInt(1, 255), random.nextInt(256), random.nextInt(1, 255))));
            if (reserved != null) {
                return reserved;
            }
        }
        throw new IllegalStateException("none of " + ATTEMPTS + " addresses in 127.0.0.0/8 is free with UDP port "
                + ROCE_PORT + "; a program may hold that port of all addresses (ss -lunp sport = :" + ROCE_PORT
                + "), or the system has 127.0.0.1 only: then test on a SimulatedFabric");
    }

    private static LoopbackAddress tryReserve(InetAddress address) {
        try {
            DatagramSocket hold = new DatagramSocket(new InetSocketAddress(address, HOLD_PORT));
            LoopbackAddress reserved = new LoopbackAddress(address, hold);
            if (reserved.isFree()) {
                return reserved;
            }
            reserved.close();
        } catch (SocketException taken) {
            return null;
        }
        return null;
    }

    InetAddress address() {
        return address;
    }

    String text() {
        return address.getHostAddress();
    }

    /// Whether no device has the address.
    boolean isFree() {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, ROCE_PORT))) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    @Override
    public void close() {
        hold.close();
    }
}
