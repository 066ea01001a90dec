package io.verbena.soft.net;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/// Loopback addresses that no other test uses, in this process or another on the same machine.
public final class Loopback {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static FileLock lock;

    private Loopback() {}

    public static InetAddress next() {
        long pid = ProcessHandle.current().pid();
        // 14 bits of process id in the middle; 127.64.0.0 and up, and neither .0 nor .255 at the end.
        int last = 1 + NEXT.getAndIncrement() % 250;
        return address("127." + (64 + (pid >> 8 & 0x3F)) + "." + (pid & 0xFF) + "." + last);
    }

    /// `::1`, of which there is one only: the tests of one process at a time have it, until they give it back.
    /// Ends the test when it is not to be had.
    public static synchronized InetAddress six() {
        InetAddress six = address("::1");
        try {
            Assumptions.assumeTrue(NetworkInterface.getByInetAddress(six) != null, "this host has no IPv6");
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "verbena-test-ipv6-loopback.lock");
            for (int i = 0; i < 300 && lock == null; i++) {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                lock = channel.tryLock();
                if (lock == null) {
                    channel.close();
                    LockSupport.parkNanos(100_000_000);
                }
            }
        } catch (IOException e) {
            Assumptions.abort("no lock on ::1: " + e);
        }
        Assumptions.assumeTrue(lock != null, "tests of another process use ::1");
        return six;
    }

    /// Lets the tests of other processes have `::1` again, once the last connection of this one has left it.
    public static synchronized void giveBackSix() throws IOException {
        if (lock == null) {
            return;
        }
        for (int i = 0; i < 300 && !isFree(address("::1")); i++) {
            LockSupport.parkNanos(100_000_000);
        }
        lock.channel().close();
        lock = null;
    }

    private static boolean isFree(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, Wires.PORT))) {
            return probe.isBound();
        } catch (SocketException taken) {
            return false;
        }
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
