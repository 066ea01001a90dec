package io.verbena.soft.local;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.AddressVector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.function.BooleanSupplier;

/// Two devices with a connection with short timeouts, and their shared memory.
final class SharedPair implements AutoCloseable {
    static final int BYTES = 1 << 20;
    static final int LEFT_PSN = 100;
    static final int RIGHT_PSN = 200;
    /// 4 ms; an impatient connection ends a quarter of a second after its peer.
    static final int IMPATIENT = 10;

    static final int PATIENT = 17;

    private static final long LONGEST_NS = 10_000_000_000L;

    final TestHost leftHost;
    final TestHost rightHost;
    final ConnectionEnd left;
    final ConnectionEnd right;

    SharedPair(int timeout) {
        this(Loopback.next(), Loopback.next());
        connect(timeout);
    }

    /// Not connected yet.
    SharedPair(InetAddress leftAddress, InetAddress rightAddress) {
        this(leftAddress, rightAddress, new TestHost(), new TestHost());
    }

    /// Not connected yet, the left one on a host that is special.
    SharedPair(TestHost leftHost) {
        this(Loopback.next(), Loopback.next(), leftHost, new TestHost());
    }

    private SharedPair(InetAddress leftAddress, InetAddress rightAddress, TestHost leftHost, TestHost rightHost) {
        this(open(leftAddress, leftHost), open(rightAddress, rightHost), leftHost, rightHost);
    }

    private SharedPair(ConnectionEnd left, ConnectionEnd right, TestHost leftHost, TestHost rightHost) {
        this.left = left;
        this.right = right;
        this.leftHost = leftHost;
        this.rightHost = rightHost;
        left.peer(right);
        right.peer(left);
    }

    /// Not connected yet, with a path option for each end.
    static SharedPair told(SoftPath leftPath, SoftPath rightPath) {
        TestHost leftHost = new TestHost();
        TestHost rightHost = new TestHost();
        return new SharedPair(
                open(Loopback.next(), leftHost, leftPath),
                open(Loopback.next(), rightHost, rightPath),
                leftHost,
                rightHost);
    }

    static ConnectionEnd open(InetAddress address, TestHost host) {
        return new ConnectionEnd(new SoftDevice(address, host).open(), address, BYTES);
    }

    private static ConnectionEnd open(InetAddress address, TestHost host, SoftPath path) {
        SoftOptions options = SoftOptions.defaults().path(path);
        return new ConnectionEnd((SoftContext) new SoftDevice(address, host).open(options), address, BYTES);
    }

    void connect(int timeout) {
        connect(left.qp, right, right.qp.number(), RIGHT_PSN, LEFT_PSN, timeout);
        connect(right.qp, left, left.qp.number(), LEFT_PSN, RIGHT_PSN, timeout);
    }

    static void connect(QueuePair qp, ConnectionEnd to, int number, int receivePsn, int sendPsn, int timeout) {
        ConnectionEnd.initialise(qp);
        join(qp, to, number, receivePsn, sendPsn, timeout);
    }

    /// From INIT on.
    static void join(QueuePair qp, ConnectionEnd to, int number, int receivePsn, int sendPsn, int timeout) {
        qp.modify(QueuePairChange.toRtr(AddressVector.to(to.address), number, receivePsn));
        qp.modify(QueuePairChange.toRts(sendPsn).timeout(timeout));
    }

    void joinLeft(int timeout) {
        join(left.qp, right, right.qp.number(), RIGHT_PSN, LEFT_PSN, timeout);
    }

    void joinRight(int timeout) {
        join(right.qp, left, left.qp.number(), LEFT_PSN, RIGHT_PSN, timeout);
    }

    void initialise() {
        ConnectionEnd.initialise(left.qp);
        ConnectionEnd.initialise(right.qp);
    }

    private TestNeighbourhood of(ConnectionEnd end) {
        return (end == left ? leftHost : rightHost).neighbourhood;
    }

    /// The device page of an end.
    MemorySegment page(ConnectionEnd end) {
        return of(end).created(DeviceLayout.BYTES).getLast();
    }

    /// The newest own lane of an end.
    MemorySegment lane(ConnectionEnd end) {
        return of(end).created(LaneLayout.BYTES).getLast();
    }

    /// Writes an entry at the head of a lane's reader, once all earlier entries are executed.
    void forge(ConnectionEnd end, long form, byte[] behind) {
        MemorySegment lane = lane(end);
        long head = lane.get(ValueLayout.JAVA_LONG, LaneLayout.EXECUTED_AT);
        forge(lane, LaneLayout.REQUESTS_AT, LaneLayout.REQUEST_CELLS, head, form, behind);
    }

    static void forge(MemorySegment lane, long base, int cells, long head, long form, byte[] behind) {
        long at = base + (head & cells - 1) * LaneLayout.CELL_BYTES;
        int bytes = (int) Math.min(behind.length, lane.byteSize() - at - LaneLayout.HEADER_BYTES);
        MemorySegment.copy(behind, 0, lane, ValueLayout.JAVA_BYTE, at + LaneLayout.HEADER_BYTES, bytes);
        lane.set(ValueLayout.JAVA_LONG, at + Long.BYTES, form);
        LaneLayout.LONG.setVolatile(lane, at, RingReader.mark(head) << 32);
    }

    static Engine engine(ConnectionEnd end) {
        return ((SoftContext) end.context).engines().first();
    }

    /// Runs a task while this thread owns the device's engine.
    static void hold(ConnectionEnd end, Runnable task) {
        engine(end).execute(task);
    }

    /// Polls both ends until the condition holds, or ten seconds are over.
    boolean driveUntil(BooleanSupplier ready) {
        return driveUntil(ready, left, right);
    }

    static boolean driveUntil(BooleanSupplier ready, ConnectionEnd... ends) {
        long start = NanoClock.SYSTEM.nowNs();
        while (!ready.getAsBoolean()) {
            for (ConnectionEnd end : ends) {
                end.poll();
            }
            if (NanoClock.SYSTEM.nowNs() - start > LONGEST_NS) {
                return false;
            }
        }
        return true;
    }

    static long packets(ConnectionEnd end) {
        return end.counter(Counter.PACKETS_SENT) + end.counter(Counter.PACKETS_RECEIVED);
    }

    long packets() {
        return packets(left) + packets(right);
    }

    long faults() {
        return left.counter(Counter.ENGINE_FAULTS) + right.counter(Counter.ENGINE_FAULTS);
    }

    String state() {
        return left.completions + " " + left.context.counters() + " " + right.completions + " "
                + right.context.counters();
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
        leftHost.neighbourhood.forget();
        rightHost.neighbourhood.forget();
    }
}
