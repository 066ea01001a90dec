package io.verbena.soft.shm;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.NanoClock;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.End;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.util.function.BooleanSupplier;

/// Two devices with a connection whose timers run out soon, and the files that are between them.
final class SharedPair implements AutoCloseable {
    static final int BYTES = 1 << 20;
    private static final int LEFT_PSN = 100;
    private static final int RIGHT_PSN = 200;
    /// 4 ms; an impatient connection ends a quarter of a second after its peer.
    static final int IMPATIENT = 10;

    static final int PATIENT = 17;

    private final SharedFolder folder = SharedFolder.ofThisProcess();
    final End left;
    final End right;

    SharedPair(int timeout) {
        this(Loopback.next(), Loopback.next());
        connect(timeout);
    }

    /// Not connected yet.
    SharedPair(InetAddress leftAddress, InetAddress rightAddress) {
        left = new End(LoopbackPair.openDevice(leftAddress), leftAddress, BYTES);
        right = new End(LoopbackPair.openDevice(rightAddress), rightAddress, BYTES);
        left.peer(right);
        right.peer(left);
    }

    void connect(int timeout) {
        connect(left.qp, right, right.qp.number(), RIGHT_PSN, LEFT_PSN, timeout);
        connect(right.qp, left, left.qp.number(), LEFT_PSN, RIGHT_PSN, timeout);
    }

    static void connect(QueuePair qp, End to, int number, int receivePsn, int sendPsn, int timeout) {
        End.initialise(qp);
        qp.modify(QueuePairChange.toRtr(AddressVector.to(to.address), number, receivePsn));
        qp.modify(QueuePairChange.toRts(sendPsn).timeout(timeout));
    }

    SharedFile device(End end) {
        Announcement announced = folder.find(key(end));
        return folder.open(announced.process(), announced.name());
    }

    private static String key(End end) {
        return Neighbours.key(Gid.of(end.address));
    }

    /// The inbox of an end's queue pair, as its peer has it mapped.
    SharedFile inbox(End end) {
        try (SharedFile device = device(end)) {
            long at = DeviceLayout.queuePairAt(end.qp.number()) + DeviceLayout.INBOX;
            return folder.open(folder.process(), Sharing.inboxName(DeviceLayout.load(device.memory(), at)));
        }
    }

    /// Puts something where the owner of an inbox looks next: behind all that was put there since it last told how far
    /// it is.
    static void forge(MemorySegment inbox, int kind, int length, byte[] packet) {
        long head = inbox.get(ValueLayout.JAVA_LONG, InboxLayout.CONSUMED_AT);
        while (inbox.get(ValueLayout.JAVA_INT, InboxLayout.cellAt(head)) == InboxLayout.mark(head)) {
            long form = inbox.get(ValueLayout.JAVA_LONG, InboxLayout.cellAt(head) + InboxLayout.FORM);
            head += InboxLayout.cells(InboxLayout.bytes(form));
        }
        int at = InboxLayout.cellAt(head);
        int bytes = (int) Math.min(packet.length, inbox.byteSize() - at - InboxLayout.PACKET);
        MemorySegment.copy(packet, 0, inbox, ValueLayout.JAVA_BYTE, at + InboxLayout.PACKET, bytes);
        inbox.set(ValueLayout.JAVA_LONG, at + InboxLayout.FORM, InboxLayout.form(kind, length));
        DeviceLayout.LONG.setVolatile(inbox, at + (long) InboxLayout.MARK, InboxLayout.marked(head, 0));
    }

    /// Polls both ends until it is so, or ten seconds are over.
    boolean driveUntil(BooleanSupplier ready) {
        return driveUntil(ready, left, right);
    }

    static boolean driveUntil(BooleanSupplier ready, End... ends) {
        long start = NanoClock.SYSTEM.nowNs();
        while (!ready.getAsBoolean()) {
            for (End end : ends) {
                end.poll();
            }
            if (NanoClock.SYSTEM.nowNs() - start > 10_000_000_000L) {
                return false;
            }
        }
        return true;
    }

    long faults() {
        return left.counter(Counter.ENGINE_FAULTS) + right.counter(Counter.ENGINE_FAULTS);
    }

    @Override
    public void close() {
        left.context.closeAll();
        right.context.closeAll();
    }
}
