package io.verbena.roce.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.Hex;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CmMessageTest {
    @Test
    void shouldDecodeWhatItEncodedWhenFieldsAreRandom() {
        long seed = 7;
        RandomMessages messages = new RandomMessages(new Random(seed));
        Set<AttributeId> seen = new HashSet<>();
        for (int round = 0; round < 9 * 300; round++) {
            CmMessage message = messages.next(round % 9);
            String where = "seed " + seed + " round " + round + " " + message;
            byte[] packet = new byte[3 + Mad.BYTES + 5];
            Arrays.fill(packet, (byte) 0x5A);
            MemorySegment p = MemorySegment.ofArray(packet);
            message.encode(p, 3);
            CmMessage decoded = CmMessage.decode(p, 3);
            assertEquals(message, decoded, where);
            assertEquals(message.hashCode(), decoded.hashCode(), where);
            assertEquals(message.toString(), decoded.toString(), where);
            assertEquals(Hex.text(message.toBytes()), Hex.text(Arrays.copyOfRange(packet, 3, 3 + Mad.BYTES)), where);
            assertEquals("5a 5a 5a 5a 5a", Hex.text(Arrays.copyOfRange(packet, 3 + Mad.BYTES, packet.length)), where);
            seen.add(message.attributeId());
        }
        assertEquals(Set.of(AttributeId.values()), seen);
    }

    @Test
    void shouldDecodeOrNameTheFieldWhenBodyIsGarbage() {
        long seed = 11;
        Random random = new Random(seed);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new CmRtu(round, 1, 2).toBytes();
            byte[] body = new byte[Mad.BYTES - Mad.HEADER_BYTES];
            random.nextBytes(body);
            System.arraycopy(body, 0, bytes, Mad.HEADER_BYTES, body.length);
            bytes[17] = (byte) (0x10 + random.nextInt(9));
            try {
                CmMessage message = CmMessage.decode(MemorySegment.ofArray(bytes), 0);
                assertEquals(message, CmMessage.decode(MemorySegment.ofArray(message.toBytes()), 0), "seed " + seed);
            } catch (MalformedMadException e) {
                assertTrue(e.getMessage().contains(" is "), e.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheFieldWhenTheHeaderIsWrong() {
        assertComplaint("base version is 9, a CM MAD has 1", 0, 9);
        assertComplaint("management class is 4, a CM MAD has 7", 1, 4);
        assertComplaint("class version is 1, a CM MAD has 2", 2, 1);
        assertComplaint("method is 129, a CM MAD has 3", 3, 0x81);
        assertComplaint("attribute id 0x0019 is no CM message handled here", 17, 0x19);
        assertComplaint("attribute id 0xff14 is no CM message handled here", 16, 0xFF);
    }

    private static void assertComplaint(String expected, int at, int value) {
        byte[] bytes = new CmRtu(1, 2, 3).toBytes();
        bytes[at] = (byte) value;
        var thrown = assertThrows(MalformedMadException.class, () -> CmMessage.decode(MemorySegment.ofArray(bytes), 0));
        assertEquals(expected, thrown.getMessage());
    }

    @Test
    void shouldSayHowManyBytesAreMissingWhenTruncated() {
        byte[] whole = new CmRtu(1, 2, 3).toBytes();
        for (int length = 0; length < Mad.BYTES; length++) {
            MemorySegment p = MemorySegment.ofArray(Arrays.copyOf(whole, length));
            var thrown = assertThrows(MalformedMadException.class, () -> CmMessage.decode(p, 0));
            assertEquals("a MAD has 256 bytes, here are " + length, thrown.getMessage());
        }
        MemorySegment p = MemorySegment.ofArray(whole);
        assertThrows(MalformedMadException.class, () -> CmMessage.decode(p, 1));
        assertThrows(MalformedMadException.class, () -> CmMessage.decode(p, 1000));
        assertThrows(MalformedMadException.class, () -> CmMessage.decode(p, -1));
    }

    @Test
    void shouldRefuseWhenANumberDoesNotFitItsField() {
        var thrown = assertThrows(
                IllegalArgumentException.class,
                () -> CmReq.builder().localQpn(1 << 24).build());
        assertEquals("localQpn is 16777216, its field has 24 bits", thrown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new CmDreq(1, 2, 3, -1));
        assertThrows(
                IllegalArgumentException.class,
                () -> CmRep.builder().privateData(new byte[197]).build());
        assertThrows(
                IllegalArgumentException.class,
                () -> new CmRej(1, 2, 3, AnsweredMessage.REQ, RejectReason.TIMEOUT).withAdditionalInfo(new byte[73]));
    }

    @Test
    void shouldNotChangeWhenTheCallerChangesItsArrays() {
        byte[] data = {1, 2, 3};
        CmRtu message = new CmRtu(1, 2, 3, PrivateData.of(data));
        data[0] = 9;
        message.privateData().toBytes()[1] = 9;
        assertEquals(new CmRtu(1, 2, 3, PrivateData.of((byte) 1, (byte) 2, (byte) 3)), message);
        CmRej reject = new CmRej(1, 2, 3, AnsweredMessage.REP, RejectReason.TIMEOUT).withAdditionalInfo(data);
        data[0] = 7;
        reject.additionalInfo()[0] = 7;
        assertEquals(9, reject.additionalInfo()[0]);
    }

    @Test
    void shouldDifferWhenTypesOrFieldsDiffer() {
        assertNotEquals(new CmRtu(1, 2, 3), new CmRtu(1, 2, 4));
        assertNotEquals(new CmRtu(1, 2, 3), new CmRtu(1, 2, 3, PrivateData.of((byte) 1)));
        assertNotEquals((Object) new CmRtu(1, 2, 3), new CmDrep(1, 2, 3));
    }

    @Test
    void shouldShowIdentifiersAndPrivateDataWhenPrinted() {
        assertEquals(
                "CmRtu[transactionId=0x1, localCommId=0xffffffff, remoteCommId=0x3, privateData='0a0b']",
                new CmRtu(1, -1, 3, PrivateData.of((byte) 10, (byte) 11)).toString());
        assertTrue(CmReq.builder().build().toString().contains("alternatePath=none"));
    }
}
