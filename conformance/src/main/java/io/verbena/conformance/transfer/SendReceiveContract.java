package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// SEND and the receives it meets.
public abstract class SendReceiveContract extends Contract {
    protected SendReceiveContract() {}

    @Test
    @Rule({"ORD-1", "CQ-2"})
    void shouldFillReceivesInPostingOrder() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(64 * 32);
        MemoryRegion target = right().memory(64 * 32);
        byte[] pattern = Bytes.pattern(1, 64 * 32);
        Bytes.put(source, 0, pattern);
        for (int i = 0; i < 32; i++) {
            link.right().receive(i, target, 64L * i, 64);
        }
        for (int i = 0; i < 32; i++) {
            link.left().post(link.left().request(i).send().from(source, 64L * i, 64));
        }
        for (int i = 0; i < 32; i++) {
            link.left().sent(i);
            link.right().received(i);
        }
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("CQ-6")
    void shouldLeaveRestOfALongerBufferAlone() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(1000);
        MemoryRegion target = right().memory(4096);
        byte[] pattern = Bytes.pattern(2, 1000);
        Bytes.put(source, 0, pattern);
        byte[] before = Bytes.all(target);
        link.right().receive(1, target, 100, 3000);
        link.left().post(link.left().request(2).send().from(source, 0, 1000));
        link.left().sent(2);
        assertEquals(1000, link.right().received(1).byteLength());
        Bytes.assertOnlyChanged(before, target, 100, pattern);
    }

    @Test
    @Rule("MSG-3")
    void shouldGatherAndScatterOverSeveralBuffers() {
        QueuePairLink link = link();
        var random = random();
        MemoryRegion source = left().memory(8192);
        MemoryRegion target = right().memory(8192);
        for (int round = 0; round < 50; round++) {
            byte[] pattern = Bytes.pattern(random.nextLong(), 8192);
            Bytes.put(source, 0, pattern);
            target.memory().fill((byte) 0);
            int[] out = {random.nextInt(2000), random.nextInt(2000), random.nextInt(2000), random.nextInt(2000)};
            int total = out[0] + out[1] + out[2] + out[3];
            SendRequest send = link.left().request(round).send().from(source, 0, out[0]);
            send.and(source, out[0], out[1]).and(source, (long) out[0] + out[1], out[2]);
            send.and(source, (long) out[0] + out[1] + out[2], out[3]);
            int first = random.nextInt(total + 1);
            int second = random.nextInt(total - first + 1);
            ReceiveRequest receive =
                    link.right().qp().newReceiveRequest().wrId(round).into(target, 0, first);
            receive.and(target, first, second).and(target, (long) first + second, total - first - second);
            assertTrue(link.right().qp().post(receive));
            link.left().post(send);
            link.left().sent(round);
            assertEquals(total, link.right().received(round).byteLength());
            byte[] expected = new byte[8192];
            System.arraycopy(pattern, 0, expected, 0, total);
            Bytes.assertUnchanged(expected, target);
        }
    }

    @Test
    @Rule("POST-3")
    void shouldPostAChainInOneCall() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(160);
        MemoryRegion target = right().memory(160);
        byte[] pattern = Bytes.pattern(4, 160);
        Bytes.put(source, 0, pattern);
        List<SendRequest> sends = new ArrayList<>();
        List<ReceiveRequest> receives = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sends.add(link.left().request(i).send().from(source, 16L * i, 16));
            receives.add(link.right().qp().newReceiveRequest().wrId(i).into(target, 16L * i, 16));
        }
        assertEquals(10, link.right().qp().postReceives(receives));
        assertEquals(10, link.left().qp().postSends(sends));
        for (int i = 0; i < 10; i++) {
            link.left().sent(i);
            link.right().received(i);
        }
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("MSG-4")
    void shouldPostTheSameRequestManyTimesWithPatches() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(4096);
        MemoryRegion target = right().memory(4096);
        byte[] pattern = Bytes.pattern(5, 4096);
        Bytes.put(source, 0, pattern);
        SendRequest write = link.left().request(0).write(target.remote());
        for (int i = 0; i < 64; i++) {
            write.wrId(i).remote(target.address() + 64L * i, target.rkey()).from(source, 64L * i, 64);
            link.left().post(write);
        }
        for (int i = 0; i < 64; i++) {
            link.left().sent(i);
        }
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule("MSG-5")
    void shouldCarryTrafficBothWaysAtOnce() {
        QueuePairLink link = link(LinkOptions.DEFAULT);
        MemoryRegion near = left().memory(40_000);
        MemoryRegion far = right().memory(40_000);
        byte[] toRight = Bytes.pattern(6, 20_000);
        byte[] toLeft = Bytes.pattern(7, 20_000);
        Bytes.put(near, 0, toRight);
        Bytes.put(far, 0, toLeft);
        for (int i = 0; i < 20; i++) {
            link.left().receive(i, near, 20_000 + 1000L * i, 1000);
            link.right().receive(i, far, 20_000 + 1000L * i, 1000);
        }
        for (int i = 0; i < 20; i++) {
            link.left().post(link.left().request(i).send().from(near, 1000L * i, 1000));
            link.right().post(link.right().request(i).send().from(far, 1000L * i, 1000));
        }
        for (int i = 0; i < 20; i++) {
            link.left().sent(i);
            link.right().sent(i);
            link.left().received(i);
            link.right().received(i);
        }
        Bytes.assertAt(far, 20_000, toRight);
        Bytes.assertAt(near, 20_000, toLeft);
    }

    @Test
    @Rule("MSG-5")
    void shouldConnectTwoQueuePairsOfOneDevice() {
        var options = LinkOptions.DEFAULT;
        LinkEnd one = LinkEnd.withChannels(left(), options, 1, null, null);
        LinkEnd two = LinkEnd.withChannels(left(), options, 2, null, null);
        new QueuePairLink(one, two, options).connect();
        MemoryRegion near = left().memory(5000);
        MemoryRegion far = left().memory(5000);
        byte[] pattern = Bytes.pattern(8, 5000);
        Bytes.put(near, 0, pattern);
        two.receive(1, far, 0, 5000);
        one.post(one.request(2).send().from(near, 0, 5000));
        one.sent(2);
        two.received(1);
        Bytes.assertAt(far, 0, pattern);
    }
}
