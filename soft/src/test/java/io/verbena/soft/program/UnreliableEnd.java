package io.verbena.soft.program;

import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// One end of an unreliable connection or of a flow of datagrams: sends numbered messages and notes which
/// arrive. A message's bytes follow from its number.
final class UnreliableEnd {
    static final int GRH_BYTES = 40;
    private static final int QKEY = 0x1234;
    private static final int SLOTS = 32;
    private static final int SLOT_BYTES = 20 * 1024;

    final QueuePair qp;
    /// Numbers of what was sent from here and of what arrived here, in order.
    final List<Integer> sent = new ArrayList<>();

    final List<Integer> arrived = new ArrayList<>();
    private final Context context;
    private final CompletionQueue cq;
    private final ProtectionDomain pd;
    private final GuardedMemory source;
    private final GuardedMemory slots;
    private final int skip;
    private final int longest;
    private final int firstNumber;
    private UnreliableEnd peer;
    private AddressHandle handle;
    private int sends;

    UnreliableEnd(Context context, QueuePairType type, Mtu mtu, int firstNumber) {
        this.context = context;
        this.firstNumber = firstNumber;
        pd = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(256);
        qp = pd.createQueuePair(
                QueuePairOptions.of(type, cq, cq).sendRequests(8).receiveRequests(SLOTS));
        source = new GuardedMemory(pd, 8 * SLOT_BYTES, Access.LOCAL_WRITE);
        slots = new GuardedMemory(pd, SLOTS * SLOT_BYTES, Access.LOCAL_WRITE);
        skip = type == QueuePairType.UD ? GRH_BYTES : 0;
        longest = type == QueuePairType.UD ? mtu.bytes() : 4 * mtu.bytes();
    }

    void connect(UnreliableEnd other, Mtu mtu) {
        peer = other;
        AddressVector to = AddressVector.to(other.context.gid(1, 0));
        if (qp.type() == QueuePairType.UD) {
            qp.modify(QueuePairChange.toInit(QKEY));
            qp.modify(QueuePairChange.toRtr());
            handle = pd.createAddressHandle(to);
        } else {
            qp.modify(QueuePairChange.toInit());
            qp.modify(QueuePairChange.toRtrUnreliable(to, other.qp.number(), 7).pathMtu(mtu));
        }
        qp.modify(QueuePairChange.toRtsUnreliable(7));
        for (int slot = 0; slot < SLOTS; slot++) {
            postReceive(slot);
        }
    }

    private void postReceive(int slot) {
        require(
                qp.post(qp.newReceiveRequest().wrId(slot).into(slots.region(), (long) slot * SLOT_BYTES, SLOT_BYTES)),
                "room for a receive");
    }

    private byte[] message(int number) {
        Random random = new Random(number);
        int mtu = longest;
        int length = Long.BYTES
                + switch (random.nextInt(3)) {
                    case 0 -> random.nextInt(3);
                    case 1 -> mtu - Long.BYTES - random.nextInt(3);
                    default -> random.nextInt(mtu - Long.BYTES);
                };
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
        return bytes;
    }

    /// Sends the next message if there is room.
    void send(Random random) {
        int number = firstNumber + sends;
        byte[] bytes = message(number);
        long at = (long) (sends % 8) * SLOT_BYTES;
        MemorySegment.copy(bytes, 0, source.region().memory(), ValueLayout.JAVA_BYTE, at, bytes.length);
        SendRequest request = qp.newSendRequest().wrId(1000).signaled();
        if (random.nextBoolean()) {
            request.send();
        } else {
            request.sendWithImmediate(number);
        }
        request.from(source.region(), at, bytes.length);
        if (handle != null) {
            request.to(handle, peer.qp.number(), QKEY);
        }
        if (qp.post(request)) {
            sends++;
            sent.add(number);
        }
    }

    void poll() {
        cq.poll(this::onCompletion, 64);
    }

    private void onCompletion(WorkCompletion completion) {
        require(completion.status() == CompletionStatus.SUCCESS, "success, not " + completion);
        if (!completion.opcode().isReceive()) {
            return;
        }
        int slot = (int) completion.wrId();
        long at = (long) slot * SLOT_BYTES + skip;
        int number = slots.region().memory().get(ValueLayout.JAVA_INT_UNALIGNED, at);
        byte[] wanted = message(number);
        require(completion.byteLength() == wanted.length + skip, "the length of message " + number);
        require(java.util.Arrays.equals(wanted, slots.bytes(at, wanted.length)), "the bytes of message " + number);
        require(!completion.hasImmediate() || completion.immediate() == number, "the number as immediate data");
        arrived.add(number);
        postReceive(slot);
    }

    void assertGuardsUntouched() {
        slots.assertGuardsUntouched();
        source.assertGuardsUntouched();
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(qp + ": expected " + what);
        }
    }
}
