package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Mtu;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random operations, compared with plain arrays that the same operations were applied to.
public abstract class RandomTrafficContract extends Contract {
    private static final int SIZE = 1 << 16;
    private static final int LONGEST = 6000;
    private static final int DEPTH = 16;

    protected RandomTrafficContract() {}

    /// A side's memory and what it should hold. Reads are fenced off from what follows, so the model may apply each
    /// operation in posting order.
    private record Model(MemoryRegion region, byte[] expected) {
        static Model of(MemoryRegion region, long seed) {
            byte[] bytes = Bytes.pattern(seed, SIZE);
            Bytes.put(region, 0, bytes);
            return new Model(region, bytes);
        }
    }

    @Test
    @Rule({"MSG-6", "ORD-1", "ORD-3", "CQ-2"})
    void shouldAgreeWithAModelOverRandomOperations() {
        Random random = random();
        Mtu mtu = Mtu.values()[random.nextInt(3)];
        int psn = random.nextInt(1 << 24);
        QueuePairLink link = link(
                LinkOptions.DEFAULT.mtu(mtu).psns(psn, random.nextInt(1 << 24)).capabilities(DEPTH, DEPTH, 4, 64));
        Model near = Model.of(left().memory(SIZE), random.nextLong());
        Model far = Model.of(right().memory(SIZE), random.nextLong());
        for (int round = 0; round < 60; round++) {
            Deque<Integer> lengths = new ArrayDeque<>();
            int count = 1 + random.nextInt(DEPTH);
            boolean ended = false;
            for (int i = 0; i < count; i++) {
                ended = postOne(link, random, near, far, lengths, i, i == count - 1);
            }
            if (!ended) {
                link.left().sent(count - 1);
            }
            for (int i = 0; !lengths.isEmpty(); i++) {
                assertEquals(
                        lengths.poll().longValue(), link.right().received(i).byteLength());
            }
            Bytes.assertUnchanged(near.expected, near.region);
            Bytes.assertUnchanged(far.expected, far.region);
            link.left().expectNoCompletion();
            link.right().expectNoCompletion();
        }
    }

    /// Whether the request ended already.
    private boolean postOne(
            QueuePairLink link,
            Random random,
            Model near,
            Model far,
            Deque<Integer> lengths,
            int id,
            boolean signaled) {
        Transfer transfer = Transfer.values()[random.nextInt(Transfer.values().length)];
        int length = random.nextInt(LONGEST);
        int nearAt = random.nextInt(SIZE - LONGEST);
        int farAt = random.nextInt(SIZE - LONGEST);
        if (transfer.usesReceive()) {
            LinkEnd right = link.right();
            if (transfer == Transfer.WRITE_WITH_IMMEDIATE) {
                right.receiveEmpty(lengths.size());
            } else {
                right.receive(lengths.size(), far.region, farAt, length);
            }
            lengths.add(length);
        }
        SendRequest request = transfer.apply(link.left().request(id), far.region.address() + farAt, far.region.rkey());
        // Fenced, so that a READ before it has brought its bytes; the model applies the operations one after the other.
        boolean await = transfer.brings() && left().quirks().has(Deviation.FENCE_CAN_STALL);
        request.fenced().signaled(signaled || await);
        int first = random.nextInt(length + 1);
        request.from(near.region, nearAt, first).and(near.region, (long) nearAt + first, length - first);
        link.left().post(request);
        if (transfer.brings()) {
            System.arraycopy(far.expected, farAt, near.expected, nearAt, length);
        } else {
            System.arraycopy(near.expected, nearAt, far.expected, farAt, length);
        }
        if (await) {
            link.left().sent(id);
        }
        return await;
    }
}
