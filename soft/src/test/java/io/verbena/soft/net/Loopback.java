package io.verbena.soft.net;

import java.io.IOException;
import java.io.UncheckedIOException;
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
        // 127.64.0.0 and up, and neither .0 nor .255 at the end.
        int last = 1 + NEXT.getAndIncrement() % 250;
        return address("127." + (64 + (Block.NUMBER >> 8)) + "." + (Block.NUMBER & 0xFF) + "." + last);
    }

    /// A block of addresses that this process holds until it ends: a lock on one byte of a file that all test processes
    /// use.
    private static final class Block {
        static final int COUNT = 1 << 14;
        static final int NUMBER;
        private static final FileChannel LOCKED;

        static {
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "verbena-test-addresses.lock");
            try {
                LOCKED = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                int number = (int) (ProcessHandle.current().pid() % COUNT);
                while (LOCKED.tryLock(number, 1, false) == null) {
                    number = (number + 1) % COUNT;
                }
                NUMBER = number;
            } catch (IOException e) {
                throw new UncheckedIOException("no free block of loopback addresses", e);
            }
        }
    }

    /// `::1`, the only IPv6 loopback address: one test process at a time has it, until it releases it. Skips the test
    /// when it is not available.
    public static synchronized InetAddress six() {
        InetAddress six = address("::1");
        try {
            Assumptions.assumeTrue(NetworkInterface.getByInetAddress(six) != null, "this host has no IPv6");
            Path file = Path.of(System.getProperty("java.io.tmpdir"), "verbena-test-ipv6-loopback.lock");
            for (int i = 0; i < 3000 && lock == null; i++) {
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

    /// Releases `::1` for other test processes, once the last user of this process has left it.
    public static synchronized void releaseSix() throws IOException {
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

    /// An IPv6 address of this host that is neither loopback nor link-local.
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
