package io.verbena.soft.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Loopback addresses that no other test uses, in this process or another on the same machine.
public final class Loopback {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Loopback() {}

    public static InetAddress next() {
        long pid = ProcessHandle.current().pid();
        // 14 bits of process id in the middle; 127.64.0.0 and up, and neither .0 nor .255 at the end.
        int last = 1 + NEXT.getAndIncrement() % 250;
        return address("127." + (64 + (pid >> 8 & 0x3F)) + "." + (pid & 0xFF) + "." + last);
    }

    /// An IPv6 address of this host that is neither loopback nor of one link only.
    public static Optional<InetAddress> global6() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(Inet6Address.class::isInstance)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .findFirst();
        } catch (SocketException e) {
            return Optional.empty();
        }
    }

    public static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
