package io.verbena.bench.soak;

import io.verbena.roce.packet.RoceConstants;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.Random;

/// Loopback addresses that no device uses.
final class Loopback {
    private static final int TRIES = 1000;

    private Loopback() {}

    /// The first three numbers, with a dot at the end, of a network whose addresses 1 to `count` are free.
    static String freeNetwork(int count) {
        Random random = new Random(); // not from the seed: a repeated run beside another one needs other addresses
        for (int i = 0; i < TRIES; i++) {
            String network = "127.%d.%d.".formatted(random.nextInt(16, 64), random.nextInt(256));
            if (isFree(network, count)) {
                return network;
            }
        }
        throw new SoakFailure("no network of free loopback addresses found in " + TRIES + " tries");
    }

    private static boolean isFree(String network, int count) {
        for (int last = 1; last <= count; last++) {
            InetAddress address = InetAddress.ofLiteral(network + last);
            try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, RoceConstants.UDP_PORT))) {
                if (!probe.isBound()) {
                    return false;
                }
            } catch (SocketException taken) {
                return false;
            }
        }
        return true;
    }
}
