package io.verbena.rdmacore.cm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.layout.RdmaConnParam;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Offsets are written as numbers here: the layout classes are what is tested.
class EventDataTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment event = arena.allocate(80, 8);

    @AfterEach
    void close() {
        arena.close();
    }

    private void header(CmEventType type, int status) {
        event.set(ValueLayout.JAVA_LONG, 0, 0x1111);
        event.set(ValueLayout.JAVA_LONG, 8, 0x2222);
        event.set(ValueLayout.JAVA_INT, 16, type.code());
        event.set(ValueLayout.JAVA_INT, 20, status);
    }

    private void privateData(byte... data) {
        event.set(
                ValueLayout.JAVA_LONG,
                24,
                arena.allocateFrom(ValueLayout.JAVA_BYTE, data).address());
        event.set(ValueLayout.JAVA_BYTE, 32, (byte) data.length);
    }

    @Test
    void shouldReadTheParametersOfAConnection() {
        header(CmEventType.CONNECT_REQUEST, 0);
        privateData((byte) 7, (byte) 8);
        event.set(ValueLayout.JAVA_BYTE, 33, (byte) 128);
        event.set(ValueLayout.JAVA_BYTE, 34, (byte) 3);
        event.set(ValueLayout.JAVA_BYTE, 35, (byte) 1);
        event.set(ValueLayout.JAVA_BYTE, 36, (byte) 6);
        event.set(ValueLayout.JAVA_BYTE, 37, (byte) 5);
        event.set(ValueLayout.JAVA_BYTE, 38, (byte) 1);
        event.set(ValueLayout.JAVA_INT, 40, 0xABCDEF);
        EventData data = EventData.of(event.address(), false);
        assertEquals(0x1111, data.id());
        assertEquals(0x2222, data.listener());
        assertEquals(CmEventType.CONNECT_REQUEST, data.type());
        ConnectionParameters told = data.parameters();
        assertArrayEquals(new byte[] {7, 8}, told.privateData());
        assertEquals(128, told.responderResources());
        assertEquals(3, told.initiatorDepth());
        assertTrue(told.flowControl());
        assertEquals(6, told.retryCount());
        assertEquals(5, told.rnrRetryCount());
        assertTrue(told.srq());
        assertEquals(0xABCDEF, told.qpNumber());
        assertNull(data.datagram());
    }

    @Test
    void shouldReadStatusAndNothingElseOfAnEmptyEvent() {
        header(CmEventType.UNREACHABLE, -110);
        EventData data = EventData.of(event.address(), false);
        assertEquals(-110, data.status());
        assertEquals(0, data.parameters().privateData().length);
    }

    @Test
    void shouldReadHowToReachADatagramService() {
        header(CmEventType.ESTABLISHED, 0);
        privateData((byte) 9);
        addressOf("10.77.0.2");
        event.set(ValueLayout.JAVA_INT, 72, 17);
        event.set(ValueLayout.JAVA_INT, 76, 0x01234567);
        EventData data = EventData.of(event.address(), true);
        assertArrayEquals(new byte[] {9}, data.parameters().privateData());
        assertEquals(17, data.datagram().qpNumber());
        assertEquals(0x01234567, data.datagram().qkey());
        assertEquals(
                Gid.of(InetAddress.ofLiteral("10.77.0.2")),
                data.datagram().address().destination());
        assertEquals(1, data.datagram().address().sourceGidIndex());
        assertEquals(64, data.datagram().address().hopLimit());
        assertEquals(2, data.datagram().address().port());
    }

    private void addressOf(String peer) {
        byte[] gid = Gid.of(InetAddress.ofLiteral(peer)).bytes();
        MemorySegment.copy(gid, 0, event, ValueLayout.JAVA_BYTE, 40, 16);
        event.set(ValueLayout.JAVA_BYTE, 60, (byte) 1);
        event.set(ValueLayout.JAVA_BYTE, 61, (byte) 64);
        event.set(ValueLayout.JAVA_BYTE, 69, (byte) 1);
        event.set(ValueLayout.JAVA_BYTE, 70, (byte) 2);
    }

    /// The pointer of the private data is then a number, not an address.
    @Test
    void shouldReadTheNumberOfAMulticastJoin() {
        header(CmEventType.MULTICAST_JOIN, 0);
        event.set(ValueLayout.JAVA_LONG, 24, 5);
        event.set(ValueLayout.JAVA_BYTE, 32, (byte) 200);
        addressOf("239.1.2.3");
        event.set(ValueLayout.JAVA_INT, 72, 0xFFFFFF);
        EventData data = EventData.of(event.address(), true);
        assertEquals(5, data.join());
        assertEquals(0xFFFFFF, data.datagram().qpNumber());
        assertEquals(0, data.parameters().privateData().length);
    }

    @Test
    void shouldKnowEventsOfNewerLibrariesAsUnknown() {
        header(CmEventType.ESTABLISHED, 0);
        event.set(ValueLayout.JAVA_INT, 16, 77);
        assertEquals(CmEventType.UNKNOWN, EventData.of(event.address(), false).type());
    }

    @Test
    void shouldWriteWhatItReads() {
        MemorySegment param = arena.allocate(24, 8);
        byte[] data = {1, 2, 3};
        ConnectionParameters told = new ConnectionParameters(data, 200, 4, true, 7, 6, 0x123456, true);
        RdmaConnParam.put(
                param.address(),
                told,
                arena.allocateFrom(ValueLayout.JAVA_BYTE, data).address(),
                3);
        ConnectionParameters read = RdmaConnParam.get(param.address());
        assertEquals(told.toString(), read.toString());
        assertEquals(told.qpNumber(), read.qpNumber());
        assertEquals(told.srq(), read.srq());
        assertEquals(told.flowControl(), read.flowControl());
    }
}
