package io.verbena.soft.rig;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.SoftProvider;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Context;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import java.net.InetAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// Two devices on loopback addresses of their own, with one connected queue pair each. Real sockets, real time.
public final class LoopbackPair implements AutoCloseable {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(60);

    public final ConnectionEnd left;
    public final ConnectionEnd right;

    public LoopbackPair(long bytes, Mtu mtu) {
        left = open(bytes);
        right = open(bytes);
        connect(left, right, mtu);
    }

    /// Both ends on devices of these addresses, or on the same one.
    public LoopbackPair(InetAddress left, InetAddress right, long bytes, Mtu mtu) {
        this.left = new ConnectionEnd(openDevice(left), left, bytes);
        this.right = new ConnectionEnd(openDevice(right), right, bytes);
        connect(this.left, this.right, mtu);
    }

    public LoopbackPair(long bytes) {
        this(bytes, Mtu.MTU_4096);
    }

    /// An end on an address that nobody else uses.
    public static ConnectionEnd open(long bytes) {
        InetAddress address = Loopback.next();
        return new ConnectionEnd(openDevice(address), address, bytes);
    }

    public static Context openDevice(InetAddress address) {
        return new SoftProvider().device(address.getHostAddress()).orElseThrow().open();
    }

    public static void connect(ConnectionEnd left, ConnectionEnd right, Mtu mtu) {
        left.peer(right);
        right.peer(left);
        left.initialise();
        right.initialise();
        left.connect(SimulatedPair.LEFT_PSN, SimulatedPair.RIGHT_PSN, mtu, UnaryOperator.identity(), patient());
        right.connect(SimulatedPair.RIGHT_PSN, SimulatedPair.LEFT_PSN, mtu, UnaryOperator.identity(), patient());
    }

    /// A busy machine may take its time.
    private static UnaryOperator<io.verbena.verbs.QueuePairChange> patient() {
        return rts -> rts.timeout(16);
    }

    /// Drives both devices from this thread until the condition holds; fails when that takes too long.
    public void driveUntil(BooleanSupplier ready) {
        long start = NanoClock.SYSTEM.nowNs();
        while (!ready.getAsBoolean()) {
            left.poll();
            right.poll();
            assertTrue(
                    NanoClock.SYSTEM.nowNs() - start < LONG_ENOUGH.toNanos(),
                    () -> "left " + left.context.counters() + ", right " + right.context.counters());
        }
    }

    /// Drives both devices until that many completions have come on one, all successes.
    public void expect(ConnectionEnd end, int completions) {
        driveUntil(() -> end.completions.size() >= completions);
        assertTrue(
                end.completions.stream().allMatch(c -> c.status() == CompletionStatus.SUCCESS),
                end.completions::toString);
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
    }
}
