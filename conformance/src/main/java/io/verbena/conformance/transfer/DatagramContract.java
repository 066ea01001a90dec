package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.Gid;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Datagrams from the left to the right and back.
public abstract class DatagramContract extends Contract {
    private static final int QKEY = 0x1111_2222;
    private static final int GRH = 40;

    protected DatagramContract() {}

    private static LinkEnd end(TestDevice side) {
        return LinkEnd.datagram(side, LinkOptions.DEFAULT, QKEY);
    }

    private static AddressHandle handle(TestDevice from, TestDevice to) {
        return from.keep(from.pd().createAddressHandle(from.pathTo(to)));
    }

    private static void send(LinkEnd from, AddressHandle handle, int qp, int qkey, MemoryRegion source, int length) {
        from.post(from.request(1).send().from(source, 0, length).to(handle, qp, qkey));
        from.sent(1);
    }

    @Test
    @Rule({"CQ-8", "CQ-6", "CQ-5"})
    void shouldDeliverBehindTheAddressArea() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        MemoryRegion source = left().memory(1024);
        MemoryRegion target = right().memory(GRH + 1024 + 8);
        byte[] pattern = Bytes.pattern(1, 1000);
        Bytes.put(source, 0, pattern);
        right.receive(5, target, 0, GRH + 1024);
        send(left, handle(left(), right()), right.qp().number(), QKEY, source, 1000);
        WorkCompletion received = right.received(5);
        assertAll(
                () -> assertEquals(CompletionOpcode.RECEIVE, received.opcode()),
                () -> assertEquals(GRH + 1000, received.byteLength()),
                () -> assertEquals(left.qp().number(), received.sourceQp()),
                () -> assertTrue(received.hasGrh()));
        Bytes.assertAt(target, GRH, pattern);
        Bytes.assertAt(target, GRH + 1000, new byte[32]);
        byte[] source4 = left().address().getAddress();
        int at = source4.length == 4 ? 20 + 12 : 8;
        Bytes.assertAt(target, at, source4);
    }

    @Test
    @Rule({"CQ-7", "CQ-8"})
    void shouldCarryAnImmediateValue() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        right.receive(5, right().memory(GRH), 0, GRH);
        left.post(left.request(1)
                .sendWithImmediate(0xCAFE_F00D)
                .empty()
                .to(handle(left(), right()), right.qp().number(), QKEY));
        left.sent(1);
        WorkCompletion received = right.received(5);
        assertTrue(received.hasImmediate());
        assertEquals(0xCAFE_F00D, received.immediate());
        assertEquals(GRH, received.byteLength());
    }

    @Test
    @Rule("CQ-8")
    void shouldAnswerTheSenderOfADatagram() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        MemoryRegion there = right().memory(GRH + 64);
        MemoryRegion here = left().memory(GRH + 64);
        right.receive(5, there, 0, GRH + 64);
        left.receive(6, here, 0, GRH + 64);
        send(left, handle(left(), right()), right.qp().number(), QKEY, left().memory(64), 64);
        WorkCompletion received = right.received(5);
        AddressHandle back = right().keep(right().pd()
                .createAddressHandle(received, there.memory().asSlice(0, GRH), 1));
        assertEquals(Gid.of(left().address()), back.address().destination());
        MemoryRegion answer = right().memory(64);
        byte[] pattern = Bytes.pattern(2, 64);
        Bytes.put(answer, 0, pattern);
        send(right, back, received.sourceQp(), QKEY, answer, 64);
        left.received(6);
        Bytes.assertAt(here, GRH, pattern);
    }

    @Test
    @Rule("UD-1")
    void shouldDropWhatHasTheWrongQueueKey() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle(left(), right());
        MemoryRegion source = left().memory(64);
        right.receive(5, right().memory(GRH + 64), 0, GRH + 64);
        send(left, handle, right.qp().number(), QKEY + 1, source, 64);
        send(left, handle, right.qp().number(), QKEY, source, 32);
        assertEquals(GRH + 32, right.received(5).byteLength(), "the second datagram came first");
        right.expectNoCompletion();
    }

    @Test
    @Rule("UD-1")
    void shouldDropWhatFindsNoReceive() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle(left(), right());
        MemoryRegion source = left().memory(64);
        // A second queue pair shows when the first datagram has been dealt with.
        LinkEnd witness = right.beside(QKEY);
        witness.receive(1, right().memory(GRH + 64), 0, GRH + 64);
        send(left, handle, right.qp().number(), QKEY, source, 64);
        send(left, handle, witness.qp().number(), QKEY, source, 64);
        witness.received(1);
        right.receive(5, right().memory(GRH + 64), 0, GRH + 64);
        send(left, handle, right.qp().number(), QKEY, source, 32);
        assertEquals(GRH + 32, right.received(5).byteLength(), "the first datagram was dropped");
    }

    @Test
    @Rule("UD-2")
    void shouldReachSeveralPeersFromOneQueuePair() {
        LinkEnd left = end(left());
        AddressHandle handle = handle(left(), right());
        MemoryRegion source = left().memory(64);
        LinkEnd[] peers = {end(right()), end(right()), end(right())};
        for (int i = 0; i < peers.length; i++) {
            peers[i].receive(i, right().memory(GRH + 64), 0, GRH + 64);
            send(left, handle, peers[i].qp().number(), QKEY, source, 10 + i);
            assertEquals(GRH + 10 + i, peers[i].received(i).byteLength());
        }
    }

    @Test
    @Rule("POST-5")
    void shouldRefuseOperationsThatDatagramsDoNotHave() {
        LinkEnd left = end(left());
        MemoryRegion source = left().memory(64);
        AddressHandle handle = handle(left(), right());
        for (Transfer transfer : Transfer.REMOTE) {
            RefusedCall.with(
                    Errno.EINVAL,
                    transfer + " on a datagram queue pair",
                    () -> left.qp()
                            .post(transfer.apply(left.request(1), 0, 1)
                                    .from(source, 0, 64)
                                    .to(handle, 1, QKEY)));
        }
        left.expectNoCompletion();
    }

    @Test
    @Rule("MR-7")
    void shouldNotCloseTheDomainOfAnAddressHandle() {
        var pd = left().otherPd();
        AddressHandle handle = pd.createAddressHandle(left().pathTo(right()));
        RefusedCall.with(Errno.EBUSY, "close a domain with an address handle", pd::close);
        handle.close();
        handle.close();
        pd.close();
    }

    @Test
    @Rule("QP-12")
    void shouldNotCloseAQueuePairInAMulticastGroup() {
        left().assumeGroups();
        LinkEnd left = end(left());
        Gid group = left().group(0x107);
        left.qp().attachMulticast(group);
        RefusedCall.with(Errno.EBUSY, "close a queue pair in a group", left.qp()::close);
        left.qp().detachMulticast(group);
        left.qp().close();
    }

    @Test
    @Rule("UD-2")
    void shouldSendFromSeveralBuffers() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        MemoryRegion source = left().memory(64, Access.LOCAL_WRITE);
        MemoryRegion target = right().memory(GRH + 64);
        byte[] pattern = Bytes.pattern(3, 64);
        Bytes.put(source, 0, pattern);
        right.receive(5, target, 0, GRH + 64);
        left.post(left.request(1)
                .send()
                .from(source, 32, 16)
                .and(source, 0, 16)
                .to(handle(left(), right()), right.qp().number(), QKEY));
        left.sent(1);
        right.received(5);
        Bytes.assertAt(target, GRH, Arrays.copyOfRange(pattern, 32, 48));
        Bytes.assertAt(target, GRH + 16, Arrays.copyOf(pattern, 16));
    }
}
