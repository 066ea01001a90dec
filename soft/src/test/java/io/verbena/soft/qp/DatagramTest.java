package io.verbena.soft.qp;

import static io.verbena.soft.rig.DatagramPair.GRH;
import static io.verbena.soft.rig.DatagramPair.QKEY;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.rig.DatagramPair;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatagramTest {
    private final DatagramPair pair = new DatagramPair(7);
    private final DatagramPair.Node left = pair.left;
    private final DatagramPair.Node right = pair.right;

    @AfterEach
    void shouldNeverFaultAndCloseAll() {
        assertEquals(0, left.count(Counter.ENGINE_FAULTS) + right.count(Counter.ENGINE_FAULTS));
        pair.close();
    }

    private static byte[] bytes(DatagramPair.Node node, long at, int length) {
        return node.memory.memory().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldWriteTheHeaderADatagramCameWith() {
        right.memory.memory().fill((byte) 0x55);
        right.receive(1, 0, GRH + 64);
        left.post(pair.request(2, 0, 5).solicited());
        pair.run();
        WorkCompletion received = right.completions.getFirst();
        assertEquals(GRH + 5, received.byteLength());
        assertEquals(left.qp.number(), received.sourceQp());
        assertEquals(0, received.sourceLid() | received.serviceLevel() | received.pkeyIndex() | received.pathBits());
        assertTrue(received.hasGrh());
        // 20 zero bytes; version 4, no options, length 20+8+20+5+3+4, DF, TTL 64, UDP, checksum, addresses.
        String header = "00".repeat(20) + "4500003c" + "00004000" + "401126af" + "0a000001" + "0a000002";
        assertEquals(header, HexFormat.of().formatHex(bytes(right, 0, GRH)));
    }

    @Test
    void shouldTravelAsTheHandleSays() {
        right.receive(1, 0, GRH + 64);
        AddressVector vector = new AddressVector(AddressVector.to(right.address).destination(), 0, 1, 0x28, 7, 0);
        left.post(left.request(2, 0, 8).to(left.pd.createAddressHandle(vector), right.qp.number(), QKEY));
        pair.run();
        assertEquals(0x28, bytes(right, 21, 1)[0]);
        assertEquals(7, bytes(right, 28, 1)[0]);
        MemorySegment area = right.memory.memory().asSlice(0, GRH);
        AddressVector back = right.pd
                .createAddressHandle(right.completions.getFirst(), area, 1)
                .address();
        assertEquals(new AddressVector(AddressVector.to(left.address).destination(), 0, 1, 0x28, 7, 0), back);
    }

    @Test
    void shouldWriteTheWholeHeaderOfIpv6() {
        DatagramPair.Node near = pair.node("fd00::1");
        DatagramPair.Node far = pair.node("fd00::2");
        far.receive(1, 0, GRH + 64);
        AddressVector vector = new AddressVector(AddressVector.to(far.address).destination(), 0, 1, 0x28, 7, 0x12345);
        near.post(near.request(2, 0, 5).to(near.pd.createAddressHandle(vector), far.qp.number(), QKEY));
        pair.run();
        far.poll();
        String addresses = "fd00" + "0".repeat(27) + "1" + "fd00" + "0".repeat(27) + "2";
        assertEquals("62812345" + "0028" + "1107" + addresses, HexFormat.of().formatHex(bytes(far, 0, GRH)));
        MemorySegment area = far.memory.memory().asSlice(0, GRH);
        AddressHandle back = far.pd.createAddressHandle(far.completions.getFirst(), area, 1);
        assertEquals(
                AddressVector.to(near.address).destination(), back.address().destination());
        assertEquals(0x12345, back.address().flowLabel());
        near.context.closeAll();
        far.context.closeAll();
    }

    @Test
    void shouldCompleteASendThatIsLostOnTheWay() {
        pair.fabric.faults(FaultPlan.none().withLoss(1));
        right.receive(1, 0, GRH + 64);
        left.post(pair.request(2, 0, 64));
        pair.run();
        assertEquals(List.of(CompletionStatus.SUCCESS), left.statuses());
        assertEquals(List.of(), right.completions);
    }

    @Test
    void shouldTakeWhateverArrivesUnderLossDuplicationAndReordering() {
        long seed = new Random().nextLong();
        pair.fabric.faults(FaultPlan.none()
                .withLoss(0.2)
                .withDuplicate(0.2)
                .withReorder(0.3)
                .withSeed(seed));
        int count = 200;
        for (int i = 0; i < 256; i++) {
            right.receive(i, i * 128L, GRH + 64);
        }
        for (int i = 0; i < count; i++) {
            left.memory.memory().set(ValueLayout.JAVA_INT, i * 64L, i);
            left.post(pair.request(i, i * 64L, 64));
        }
        pair.run();
        assertEquals(count, left.completions.size(), "seed " + seed);
        int arrived = right.completions.size();
        assertTrue(arrived > count / 2 && arrived < 256, () -> arrived + " arrived, seed " + seed);
        boolean reordered = false;
        int before = -1;
        for (WorkCompletion completion : right.completions) {
            int sent = right.memory.memory().get(ValueLayout.JAVA_INT, completion.wrId() * 128 + GRH);
            assertTrue(sent >= 0 && sent < count, "seed " + seed);
            reordered |= sent < before;
            before = sent;
        }
        assertTrue(reordered, "seed " + seed);
    }

    @Test
    void shouldShowItsOwnKeyWhenTheRequestNamesAPrivilegedOne() {
        right.receive(1, 0, GRH + 64);
        left.post(left.request(2, 0, 8).to(left.handleTo(right), right.qp.number(), 0x8001_0000));
        pair.run();
        assertEquals(List.of(1L), right.wrIds());
    }

    @Test
    void shouldCountWhatItDrops() {
        AddressHandle handle = left.handleTo(right);
        QueuePair connected = right.pd.createQueuePair(QueuePairOptions.rc(right.cq));
        QueuePair notReady = right.pd.createQueuePair(QueuePairOptions.ud(right.cq));
        left.post(left.request(1, 0, 8).to(handle, right.qp.number(), QKEY + 1));
        left.post(left.request(2, 0, 8).to(handle, right.qp.number(), QKEY));
        left.post(left.request(3, 0, 8).to(handle, right.qp.number() + 0x1000, QKEY));
        left.post(left.request(4, 0, 8).to(handle, connected.number(), QKEY));
        left.post(left.request(5, 0, 8).to(handle, notReady.number(), 0));
        pair.run();
        assertEquals(5, left.completions.size());
        assertEquals(1, right.count(Counter.DROPPED_BAD_QKEY));
        assertEquals(1, right.count(Counter.DROPPED_NO_RECEIVE));
        assertEquals(1, right.count(Counter.DROPPED_UNKNOWN_QP));
        assertEquals(1, right.count(Counter.DROPPED_WRONG_TRANSPORT));
        assertEquals(1, right.count(Counter.DROPPED_WRONG_STATE));
        assertEquals(List.of(), right.completions);
    }

    @Test
    void shouldKeepAReceiveThatIsTooShortForOneThatFits() {
        right.memory.memory().fill((byte) 0x55);
        right.receive(1, 0, GRH + 8);
        left.post(pair.request(2, 0, 9));
        pair.run();
        assertEquals(1, right.count(Counter.DROPPED_RECEIVE_TOO_SHORT));
        assertArrayEquals(HexFormat.of().parseHex("55".repeat(GRH + 8)), bytes(right, 0, GRH + 8));
        left.post(pair.request(3, 0, 8));
        pair.run();
        assertEquals(List.of(1L), right.wrIds());
    }

    @Test
    void shouldCountADatagramLongerThanTheMtuAsSentAndSendNothing() {
        right.receive(1, 0, GRH + 8192);
        left.post(pair.request(2, 0, 4097));
        left.post(pair.request(3, 0, 4096));
        pair.run();
        assertEquals(List.of(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS), left.statuses());
        assertEquals(1, left.count(Counter.DATAGRAMS_TOO_LONG));
        assertEquals(GRH + 4096, right.completions.getFirst().byteLength());
        assertEquals(1, right.completions.size());
    }

    @Test
    void shouldStopSendingAfterAnErrorAndGoOnWhenTold() {
        right.receive(9, 0, GRH + 64);
        left.receive(8, 0, GRH + 64);
        AddressHandle handle = left.handleTo(right);
        SendRequest wrong = left.qp
                .newSendRequest()
                .wrId(1)
                .send()
                .fromAddress(left.memory.address(), 8, left.memory.lkey() + 1)
                .to(handle, right.qp.number(), QKEY);
        assertEquals(2, left.qp.postSends(List.of(wrong, pair.request(2, 0, 8))));
        left.post(pair.request(3, 0, 8));
        pair.run();
        assertEquals(QueuePairState.SQE, left.qp.state());
        assertEquals(List.of(1L, 2L, 3L), left.wrIds());
        assertEquals(
                List.of(
                        CompletionStatus.LOCAL_PROTECTION_ERROR,
                        CompletionStatus.WORK_REQUEST_FLUSHED,
                        CompletionStatus.WORK_REQUEST_FLUSHED),
                left.statuses());
        right.post(right.request(4, 0, 8).to(right.handleTo(left), left.qp.number(), QKEY));
        pair.run();
        assertEquals(8, left.completions.getLast().wrId(), "receiving goes on in SQE");
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        left.post(pair.request(5, 0, 8));
        pair.run();
        assertEquals(CompletionStatus.SUCCESS, left.completions.getLast().status());
        assertEquals(9, right.completions.getLast().wrId());
    }

    @Test
    void shouldEndWhenAReceiveBufferMayNotBeWritten() {
        var closed = right.pd.allocate(256, Access.LOCAL_WRITE);
        assertTrue(right.qp.post(right.qp.newReceiveRequest().wrId(1).into(closed, 0, 256)));
        right.receive(2, 0, 256);
        closed.close();
        left.post(pair.request(3, 0, 8));
        pair.run();
        assertEquals(
                List.of(CompletionStatus.LOCAL_PROTECTION_ERROR, CompletionStatus.WORK_REQUEST_FLUSHED),
                right.statuses());
        assertEquals(QueuePairState.ERR, right.qp.state());
    }

    @Test
    void shouldHoldRequestsInSqdAndSendThemAfterwards() {
        right.receive(1, 0, GRH + 64);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        assertFalse(left.qp.query().sendQueueDraining());
        left.post(pair.request(2, 0, 8));
        pair.run();
        assertEquals(List.of(), left.completions);
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        pair.run();
        assertEquals(List.of(2L), left.wrIds());
        assertEquals(List.of(1L), right.wrIds());
        assertEquals(0xFF_FFFF, left.qp.query().sendPsn());
    }

    @Test
    void shouldRefuseRequestsWithoutAUsableHandle() {
        AddressHandle closed = left.handleTo(right);
        closed.close();
        var otherPd = left.context.allocateProtectionDomain();
        AddressHandle foreign = otherPd.createAddressHandle(AddressVector.to(right.address));
        AddressHandle good = left.handleTo(right);
        refused("needs an address handle", left.request(1, 0, 8));
        refused("is closed", left.request(1, 0, 8).to(closed, 1, QKEY));
        refused("another protection domain", left.request(1, 0, 8).to(foreign, 1, QKEY));
        refused("24 bits", left.request(1, 0, 8).to(good, 0x100_0000, QKEY));
        refused("RDMA_WRITE cannot be asked", left.request(1, 0, 8).write(0, 0).to(good, 1, QKEY));
    }

    private void refused(String why, SendRequest request) {
        BadRequestException refusal = assertThrows(BadRequestException.class, () -> left.qp.post(request));
        assertTrue(refusal.getMessage().contains(why), refusal::getMessage);
        assertEquals(Errno.EINVAL, refusal.errno());
    }

    @Test
    void shouldSendWhatWasPostedBeforeItsHandleWasClosed() {
        right.receive(1, 0, GRH + 64);
        left.qp.modify(QueuePairChange.to(QueuePairState.SQD));
        AddressHandle handle = left.handleTo(right);
        left.post(left.request(2, 0, 8).to(handle, right.qp.number(), QKEY));
        handle.close();
        left.qp.modify(QueuePairChange.to(QueuePairState.RTS));
        pair.run();
        assertEquals(List.of(1L), right.wrIds());
    }

    @Test
    void shouldHaveAsManyHandlesAsItSaysAndNotOneMore() {
        assertEquals(SoftLimits.MAX_ADDRESS_HANDLES, left.context.attributes().maxAddressHandles());
        AddressHandle first = left.handleTo(right);
        for (int i = 1; i < SoftLimits.MAX_ADDRESS_HANDLES; i++) {
            left.handleTo(right);
        }
        RdmaException refusal = assertThrows(RdmaException.class, () -> left.handleTo(right));
        assertEquals(Errno.ENOMEM, refusal.errno());
        first.close();
        first.close();
        left.handleTo(right);
        assertThrows(RdmaException.class, () -> left.handleTo(right));
    }

    @Test
    void shouldRefuseAddressesThatNoPacketCouldGoTo() {
        AddressVector good = AddressVector.to(right.address);
        for (AddressVector wrong : List.of(
                AddressVector.toLid(1, 1),
                new AddressVector(good.destination(), 1, 1, 0, 64, 0),
                new AddressVector(good.destination(), 0, 2, 0, 64, 0),
                new AddressVector(good.destination(), 0, 1, 256, 64, 0),
                new AddressVector(good.destination(), 0, 1, 0, 256, 0),
                AddressVector.to(java.net.InetAddress.ofLiteral("fe80::1")))) {
            RdmaException refusal = assertThrows(RdmaException.class, () -> left.pd.createAddressHandle(wrong));
            assertEquals(Errno.EINVAL, refusal.errno(), wrong::toString);
        }
    }

    @Test
    void shouldFindTheWayBackOnlyInTheHeaderOfADatagram() {
        right.receive(1, 0, GRH + 64);
        left.post(pair.request(2, 0, 8));
        pair.run();
        WorkCompletion received = right.completions.getFirst();
        MemorySegment area = right.memory.memory().asSlice(0, GRH);
        AddressHandle back = right.pd.createAddressHandle(received, area, 1);
        assertEquals(AddressVector.to(left.address), back.address());
        WorkCompletion sent = left.completions.getFirst();
        assertThrows(RdmaException.class, () -> right.pd.createAddressHandle(sent, area, 1));
        assertThrows(RdmaException.class, () -> right.pd.createAddressHandle(received, area, 2));
        assertThrows(RdmaException.class, () -> right.pd.createAddressHandle(received, area.asSlice(1), 1));
        area.fill((byte) 0);
        assertThrows(RdmaException.class, () -> right.pd.createAddressHandle(received, area, 1));
    }
}
