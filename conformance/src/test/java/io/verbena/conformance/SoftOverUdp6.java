package io.verbena.conformance;

import io.verbena.verbs.spi.Availability;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;

/// Software devices over UDP and IPv6. There is only one loopback address, so both ends are on one device, and only one
/// process runs at a time: the one that holds the lock on a file in the temporary directory.
final class SoftOverUdp6 extends SoftPairing {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("::1");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Held until the process ends; null when it was not to be had.
    private final FileLock lock = lock();

    SoftOverUdp6() {
        super("udp", LOOPBACK, LOOPBACK, null);
    }

    private static FileLock lock() {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "verbena-test-ipv6-loopback.lock");
        Instant end = Instant.now().plus(PATIENCE);
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            while (lock == null && Instant.now().isBefore(end)) {
                Thread.sleep(100);
                lock = channel.tryLock();
            }
            return lock;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    @Override
    public Availability availability() {
        return lock == null
                ? Availability.unavailable("::1 is in use by tests of another process", "run the tests again later")
                : super.availability();
    }

    @Override
    public String name() {
        return "soft-soft over UDP and IPv6";
    }
}
