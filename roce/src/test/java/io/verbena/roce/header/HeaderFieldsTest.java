package io.verbena.roce.header;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Every field of every header: what is set is read back, and no other bit changes.
class HeaderFieldsTest {
    private static final int MARGIN = 3;

    private interface Getter {
        long get(MemorySegment p, long at);
    }

    private interface Setter {
        void set(MemorySegment p, long at, long value);
    }

    private record HeaderField(String name, int headerBytes, int offset, int shift, int bits, Getter get, Setter set) {}

    private final List<HeaderField> fields = new ArrayList<>();

    HeaderFieldsTest() {
        bth();
        word("Reth.virtualAddress", Reth.BYTES, 0, 64, Reth::virtualAddress, Reth::virtualAddress);
        word("Reth.rkey", Reth.BYTES, 8, 32, Reth::rkey, (p, at, v) -> Reth.rkey(p, at, (int) v));
        word("Reth.length", Reth.BYTES, 12, 32, Reth::lengthUnsigned, (p, at, v) -> Reth.length(p, at, (int) v));
        word("Aeth.syndrome", Aeth.BYTES, 0, 8, Aeth::syndrome, (p, at, v) -> Aeth.syndrome(p, at, (int) v));
        word("Aeth.msn", Aeth.BYTES, 1, 24, Aeth::msn, (p, at, v) -> Aeth.msn(p, at, (int) v));
        word("AtomicEth.va", AtomicEth.BYTES, 0, 64, AtomicEth::virtualAddress, AtomicEth::virtualAddress);
        word("AtomicEth.rkey", AtomicEth.BYTES, 8, 32, AtomicEth::rkey, (p, at, v) -> AtomicEth.rkey(p, at, (int) v));
        word("AtomicEth.swapOrAdd", AtomicEth.BYTES, 12, 64, AtomicEth::swapOrAdd, AtomicEth::swapOrAdd);
        word("AtomicEth.compare", AtomicEth.BYTES, 20, 64, AtomicEth::compare, AtomicEth::compare);
        word("AtomicAckEth.original", AtomicAckEth.BYTES, 0, 64, AtomicAckEth::original, AtomicAckEth::original);
        word("ImmDt.immediate", ImmDt.BYTES, 0, 32, ImmDt::immediate, (p, at, v) -> ImmDt.immediate(p, at, (int) v));
        word("Ieth.rkey", Ieth.BYTES, 0, 32, Ieth::rkey, (p, at, v) -> Ieth.rkey(p, at, (int) v));
        word("Deth.qkey", Deth.BYTES, 0, 32, Deth::qkey, (p, at, v) -> Deth.qkey(p, at, (int) v));
        word("Deth.sourceQp", Deth.BYTES, 5, 24, Deth::sourceQp, (p, at, v) -> Deth.sourceQp(p, at, (int) v));
        word(
                "XrcEth.srq",
                XrcEth.BYTES,
                1,
                24,
                XrcEth::sharedReceiveQueue,
                (p, at, v) -> XrcEth.sharedReceiveQueue(p, at, (int) v));
        bits(
                "Feth.placementType",
                Feth.BYTES,
                3,
                0,
                4,
                Feth::placementType,
                (p, at, v) -> Feth.placementType(p, at, (int) v));
        bits(
                "Feth.selectivity",
                Feth.BYTES,
                3,
                4,
                2,
                Feth::selectivity,
                (p, at, v) -> Feth.selectivity(p, at, (int) v));
    }

    private void bth() {
        int size = Bth.BYTES;
        word("Bth.opcode", size, 0, 8, Bth::opcode, (p, at, v) -> Bth.opcode(p, at, (int) v));
        bits(
                "Bth.solicited",
                size,
                1,
                7,
                1,
                (p, at) -> Bth.solicited(p, at) ? 1 : 0,
                (p, at, v) -> Bth.solicited(p, at, v == 1));
        bits(
                "Bth.migrated",
                size,
                1,
                6,
                1,
                (p, at) -> Bth.migrated(p, at) ? 1 : 0,
                (p, at, v) -> Bth.migrated(p, at, v == 1));
        bits("Bth.padCount", size, 1, 4, 2, Bth::padCount, (p, at, v) -> Bth.padCount(p, at, (int) v));
        bits("Bth.version", size, 1, 0, 4, Bth::version, (p, at, v) -> Bth.version(p, at, (int) v));
        word("Bth.partitionKey", size, 2, 16, Bth::partitionKey, (p, at, v) -> Bth.partitionKey(p, at, (int) v));
        bits("Bth.fecn", size, 4, 7, 1, (p, at) -> Bth.fecn(p, at) ? 1 : 0, (p, at, v) -> Bth.fecn(p, at, v == 1));
        bits("Bth.becn", size, 4, 6, 1, (p, at) -> Bth.becn(p, at) ? 1 : 0, (p, at, v) -> Bth.becn(p, at, v == 1));
        word("Bth.destinationQp", size, 5, 24, Bth::destinationQp, (p, at, v) -> Bth.destinationQp(p, at, (int) v));
        bits(
                "Bth.ackRequested",
                size,
                8,
                7,
                1,
                (p, at) -> Bth.ackRequested(p, at) ? 1 : 0,
                (p, at, v) -> Bth.ackRequested(p, at, v == 1));
        word("Bth.psn", size, 9, 24, Bth::psn, (p, at, v) -> Bth.psn(p, at, (int) v));
    }

    private void word(String name, int headerBytes, int offset, int bits, Getter get, Setter set) {
        fields.add(new HeaderField(name, headerBytes, offset, 0, bits, get, set));
    }

    private void bits(String name, int headerBytes, int offset, int shift, int bits, Getter get, Setter set) {
        fields.add(new HeaderField(name, headerBytes, offset, shift, bits, get, set));
    }

    @Test
    void shouldChangeExactlyItsBitsWhenAFieldIsSet() {
        long seed = 71;
        Random random = new Random(seed);
        for (HeaderField field : fields) {
            for (int round = 0; round < 500; round++) {
                byte[] before = new byte[field.headerBytes + 2 * MARGIN];
                random.nextBytes(before);
                long mask = field.bits == 64 ? -1L : (1L << field.bits) - 1;
                long value = random.nextLong() & mask;
                byte[] expected = before.clone();
                place(expected, MARGIN + field.offset, field.shift, field.bits, value);
                byte[] after = before.clone();
                MemorySegment p = MemorySegment.ofArray(after);
                field.set.set(p, MARGIN, value);
                String where = field.name + ", seed " + seed + ", round " + round;
                assertEquals(Arrays.toString(expected), Arrays.toString(after), where);
                assertEquals(value, field.get.get(p, MARGIN) & mask, where);
            }
        }
    }

    /// An independent, bit by bit idea of where a field is.
    private static void place(byte[] bytes, int offset, int shift, int bits, long value) {
        int fieldBytes = Math.max(1, bits / 8);
        for (int bit = 0; bit < bits; bit++) {
            int position = bit + shift;
            int at = offset + fieldBytes - 1 - position / 8;
            int one = 1 << position % 8;
            bytes[at] = (byte) ((value >>> bit & 1) == 1 ? bytes[at] | one : bytes[at] & ~one);
        }
    }

    @Test
    void shouldWriteWholeHeadersWhenBytesWereDirty() {
        byte[] bytes = new byte[64];
        Arrays.fill(bytes, (byte) 0xA5);
        MemorySegment p = MemorySegment.ofArray(bytes);
        Bth.write(p, 1, 0x0B, true, 2, 0x123456, true, 0xFEDCBA);
        assertEquals("0be0ffff0012345680fedcba", hex(p, 1, Bth.BYTES));
        Bth.write(p, 1, 0x64, false, 0, 0xFF000001, false, 0xFF000002);
        assertEquals("6440ffff0000000100000002", hex(p, 1, Bth.BYTES));
        Reth.write(p, 3, 0x7f0011223344L, 0x1a5c, 0x8000_0000);
        assertEquals("00007f001122334400001a5c80000000", hex(p, 3, Reth.BYTES));
        assertEquals(1L << 31, Reth.lengthUnsigned(p, 3));
        Aeth.write(p, 5, 0x62, 0x1FFFFFF);
        assertEquals("62ffffff", hex(p, 5, Aeth.BYTES));
        Deth.write(p, 7, 0x80010000, 1);
        assertEquals("8001000000000001", hex(p, 7, Deth.BYTES));
        Feth.write(p, 9, Feth.GLOBAL_VISIBILITY | Feth.PERSISTENCE, Feth.WHOLE_REGION);
        assertEquals("00000013", hex(p, 9, Feth.BYTES));
    }

    private static String hex(MemorySegment p, long at, int size) {
        return HexFormat.of().formatHex(p.asSlice(at, size).toArray(ValueLayout.JAVA_BYTE));
    }
}
