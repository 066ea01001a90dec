package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.Quirks.Deviation;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.conformance.bench.TestDevice;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The contents and the longest length of datagrams, and what happens to longer ones.
public abstract class DatagramRulesContract extends Contract {
    private static final int QKEY = 0x1111_2222;
    private static final int GRH = 40;
    /// UDP, BTH, DETH and ICRC, which surround the bytes of a datagram.
    private static final int AROUND = 8 + 12 + 8 + 4;

    protected DatagramRulesContract() {}

    private static LinkEnd end(TestDevice side) {
        return LinkEnd.datagram(side, LinkOptions.DEFAULT, QKEY);
    }

    private AddressHandle handle() {
        return left().keep(left().pd().createAddressHandle(left().pathTo(right())));
    }

    private static void send(
            LinkEnd from, AddressHandle handle, LinkEnd to, int qkey, MemoryRegion source, int length) {
        from.post(from.request(length)
                .send()
                .from(source, 0, length)
                .to(handle, to.qp().number(), qkey));
        from.sent(length);
    }

    /// The longest message that both ports carry.
    private int longest() {
        return Math.min(
                left().context().port(1).activeMtu().bytes(),
                right().context().port(1).activeMtu().bytes());
    }

    @Test
    @Rule("CQ-8")
    void shouldShowTheSendersHeaderInTheAddressArea() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        MemoryRegion target = right().memory(GRH + 64);
        target.memory().fill((byte) 0x77);
        right.receive(5, target, 0, GRH + 64);
        send(left, handle(), right, QKEY, left().memory(64), 30);
        assertTrue(right.received(5).hasGrh());
        byte[] area = Bytes.get(target, 0, GRH);
        byte[] source = left().address().getAddress();
        byte[] destination = right().address().getAddress();
        int carried = AROUND + 32; // padded to words
        if (source.length == 4) {
            assertAll(
                    () -> assertEquals(0, Arrays.mismatch(new byte[20], area) < 20 ? 1 : 0, "20 bytes of zeros"),
                    () -> assertEquals(0x45, area[20], "version and length of the header"),
                    () -> assertEquals(20 + carried, (area[22] & 0xFF) << 8 | area[23] & 0xFF, "total length"),
                    () -> assertNotEquals(0, area[28], "time to live"),
                    () -> assertEquals(17, area[29], "protocol UDP"),
                    () -> Bytes.assertAt(target, 20 + 12, source),
                    () -> Bytes.assertAt(target, 20 + 16, destination));
        } else {
            assertAll(
                    () -> assertEquals(0x60, area[0] & 0xF0, "version"),
                    () -> assertEquals(carried, (area[4] & 0xFF) << 8 | area[5] & 0xFF, "payload length"),
                    () -> assertEquals(17, area[6], "next header UDP"),
                    () -> assertNotEquals(0, area[7], "hop limit"),
                    () -> Bytes.assertAt(target, 8, source),
                    () -> Bytes.assertAt(target, 24, destination));
        }
    }

    @Test
    @Rule({"UD-3", "CQ-6"})
    void shouldCarryAsManyBytesAsThePortsMtu() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle();
        int longest = longest();
        MemoryRegion source = left().memory(longest);
        MemoryRegion target = right().memory(GRH + longest);
        for (int length : new int[] {0, 1, 2, 3, 4, 255, longest - 1, longest}) {
            byte[] pattern = Bytes.pattern(length, length);
            Bytes.put(source, 0, pattern);
            right.receive(length, target, 0, GRH + longest);
            send(left, handle, right, QKEY, source, length);
            assertEquals(GRH + length, right.received(length).byteLength());
            Bytes.assertAt(target, GRH, pattern);
        }
    }

    @Test
    @Rule({"UD-3", "TAB-18"})
    void shouldSendNothingWhenTheMessageIsLongerThanThePortsMtu() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle();
        int mtu = left().context().port(1).activeMtu().bytes();
        MemoryRegion source = left().memory(mtu + 1L);
        right.receive(5, right().memory(GRH + mtu + 8L), 0, GRH + mtu + 8L);
        send(left, handle, right, QKEY, source, mtu + 1);
        send(left, handle, right, QKEY, source, 16);
        assertEquals(GRH + 16, right.received(5).byteLength(), "the long one is nowhere");
        assertEquals(QueuePairState.RTS, left.state());
    }

    @Test
    @Rule({"UD-1", "TAB-19"})
    void shouldDropWhatTheReceiveCannotHold() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle();
        MemoryRegion source = left().memory(512);
        MemoryRegion target = right().memory(512);
        source.memory().fill((byte) 1);
        right.receive(5, target, 0, GRH + 32);
        send(left, handle, right, QKEY, source, 100);
        send(left, handle, right, QKEY, source, 32);
        if (right().quirks().has(Deviation.DATAGRAM_TOO_LONG_FAILS_RECEIVER)) {
            assertNotEquals(CompletionStatus.SUCCESS, right.received().status());
            right.awaitState(QueuePairState.ERR);
        } else {
            assertEquals(GRH + 32, right.received(5).byteLength(), "the longer one was dropped");
            assertEquals(QueuePairState.RTS, right.state());
        }
        Bytes.assertAt(target, GRH + 32, new byte[512 - GRH - 32]);
    }

    @Test
    @Rule({"UD-1", "TAB-19"})
    void shouldSucceedWhenNobodyHasTheNumber() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle();
        MemoryRegion source = left().memory(64);
        right.receive(5, right().memory(GRH + 64), 0, GRH + 64);
        left.post(
                left.request(1).send().from(source, 0, 64).to(handle, right.qp().number() ^ 0x40_0000, QKEY));
        left.sent(1);
        send(left, handle, right, QKEY, source, 32);
        assertEquals(GRH + 32, right.received(5).byteLength());
        right.expectNoCompletion();
    }

    @Test
    @Rule("UD-4")
    void shouldSendItsOwnQueueKeyInsteadOfAControlledOne() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle();
        MemoryRegion source = left().memory(64);
        right.receive(5, right().memory(GRH + 64), 0, GRH + 64);
        send(left, handle, right, 0x8000_0000, source, 64);
        send(left, handle, right, QKEY, source, 32);
        int arrived = left().quirks().has(Deviation.CONTROLLED_QKEY_SENT_AS_IT_IS) ? 32 : 64;
        assertEquals(GRH + arrived, right.received(5).byteLength());
    }

    @Test
    @Rule({"UD-1", "QP-2"})
    void shouldTakeANewQueueKeyWhileReadyToSend() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        AddressHandle handle = handle();
        MemoryRegion source = left().memory(64);
        right.qp().modify(QueuePairChange.to(QueuePairState.RTS).qkey(QKEY + 5));
        right.receive(5, right().memory(GRH + 64), 0, GRH + 64);
        send(left, handle, right, QKEY, source, 64);
        send(left, handle, right, QKEY + 5, source, 32);
        assertEquals(GRH + 32, right.received(5).byteLength());
    }

    @Test
    @Rule("UD-2")
    void shouldRefuseADatagramWithoutAnAddress() {
        LinkEnd left = end(left());
        RefusedCall.with(
                Errno.EINVAL,
                "a datagram to nobody",
                () -> left.qp().post(left.request(1).send().empty()));
        left.expectNoCompletion();
    }

    @Test
    @Rule("POST-2")
    void shouldReceiveButNotSendBeforeReadyToSend() {
        LinkEnd left = end(left());
        LinkEnd right = devices()
                .unconnected(LinkOptions.DEFAULT.type(QueuePairType.UD))
                .right();
        right.toInit();
        right.to(QueuePairState.RTR);
        AddressHandle back = right().keep(right().pd().createAddressHandle(right().pathTo(left())));
        RefusedCall.with(
                Errno.EINVAL,
                "a datagram sent in RTR",
                () -> right.qp().post(right.request(1).send().empty().to(back, 1, QKEY)));
        right.receive(5, right().memory(GRH + 64), 0, GRH + 64);
        send(left, handle(), right, LinkEnd.QKEY, left().memory(64), 64);
        right.received(5);
    }

    @Test
    @Rule("POST-5")
    void shouldRefuseAtomicsAndRevocations() {
        LinkEnd left = end(left());
        MemoryRegion local = left().memory(64);
        AddressHandle handle = handle();
        RefusedCall.with(
                Errno.EINVAL,
                "fetch and add",
                () -> left.qp()
                        .post(left.request(1)
                                .fetchAndAdd(0, 1, 1)
                                .into(local, 0, 8)
                                .to(handle, 1, QKEY)));
        RefusedCall.with(
                Errno.EINVAL,
                "compare and swap",
                () -> left.qp()
                        .post(left.request(1)
                                .compareAndSwap(0, 1, 1, 1)
                                .into(local, 0, 8)
                                .to(handle, 1, QKEY)));
        RefusedCall.with(
                Errno.EINVAL,
                "send with invalidate",
                () -> left.qp()
                        .post(left.request(1).sendWithInvalidate(1).empty().to(handle, 1, QKEY)));
        RefusedCall.with(
                Errno.EINVAL,
                "local invalidate",
                () -> left.qp().post(left.request(1).localInvalidate(1)));
        left.expectNoCompletion();
    }

    @Test
    @Rule({"UD-2", "POST-8"})
    void shouldCarryInlineBytes() {
        LinkEnd left = end(left());
        LinkEnd right = end(right());
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(GRH + 64);
        byte[] pattern = Bytes.pattern(4, 48);
        Bytes.put(source, 0, pattern);
        right.receive(5, target, 0, GRH + 64);
        left.post(left.request(1)
                .send()
                .from(source, 0, 48)
                .inline()
                .to(handle(), right.qp().number(), QKEY));
        source.memory().fill((byte) 0);
        left.sent(1);
        right.received(5);
        Bytes.assertAt(target, GRH, pattern);
    }
}
