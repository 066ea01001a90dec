package io.verbena.sockets.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What C programs with rsockets sent to each other over the kernel's soft-RoCE, word by word.
class CaptureTest {
    private static final int UDP_BYTES = 8;
    private static final int WRITE_LAST_WITH_IMMEDIATE = 9;
    private static final int WRITE_ONLY_WITH_IMMEDIATE = 11;
    private static final int WRITE_FIRST = 6;
    private static final int UD_SEND = 100;
    private static final int CM_REQ = 0x10;
    private static final int CM_REP = 0x13;

    /// A word, the length of the payload it came with, and the payload where it is in one packet.
    private record Message(int packet, int qp, int word, long bytes, byte[] payload) {}

    private final List<ConnectionData> offers = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();

    private void decode() throws IOException {
        Map<Integer, Integer> lengths = new HashMap<>();
        try (PcapReader reader = new PcapReader(CaptureTest.class.getResourceAsStream("rsockets-rxe.pcap"))) {
            int number = 0;
            for (PcapRecord frame = reader.next(); frame != null; frame = reader.next()) {
                number++;
                if (frame.isIp()) {
                    decode(number, ByteBuffer.wrap(frame.ipPacket()), lengths);
                }
            }
        }
    }

    private void decode(int number, ByteBuffer ip, Map<Integer, Integer> lengths) {
        int protocol = ip.get(9);
        int bth = (ip.get(0) & 15) * 4 + UDP_BYTES;
        if (protocol != 17 || ip.limit() < bth + 16) {
            return;
        }
        int opcode = ip.get(bth) & 0xFF;
        int qp = ip.getInt(bth + 4) & 0xFFFFFF;
        int at = bth + 12;
        switch (opcode) {
            case WRITE_FIRST -> lengths.put(qp, ip.getInt(at + 12));
            case WRITE_LAST_WITH_IMMEDIATE ->
                messages.add(new Message(number, qp, ip.getInt(at), lengths.remove(qp), null));
            case WRITE_ONLY_WITH_IMMEDIATE -> {
                int length = ip.getInt(at + 12);
                byte[] payload = new byte[length];
                ip.get(at + 20, payload);
                messages.add(new Message(number, qp, ip.getInt(at + 16), length, payload));
            }
            case UD_SEND -> {
                int mad = at + 8;
                int attribute = ip.getShort(mad + 16);
                byte[] data = new byte[ConnectionData.BYTES];
                if (attribute == CM_REQ) {
                    ip.get(mad + 24 + 140 + 36, data);
                } else if (attribute == CM_REP) {
                    ip.get(mad + 24 + 36, data);
                }
                if (data[0] == 1) {
                    offers.add(ConnectionData.decode(data));
                }
            }
            default -> {}
        }
    }

    @Test
    void shouldDecodeThePrivateDataOfAllConnections() throws IOException {
        decode();
        assertTrue(offers.size() >= 16, offers.size() + " offers");
        ConnectionData first = offers.getFirst();
        assertEquals(384, first.credits());
        assertEquals(0x557411c73000L, first.listAddress());
        assertEquals(524_288, first.bufferLength());
        for (ConnectionData offer : offers) {
            assertTrue(!offer.bigEndian() && offer.hasMaps());
            assertEquals(2, offer.listEntries());
        }
    }

    @Test
    void shouldFindTheWordsThatCountWhatWasWritten() throws IOException {
        decode();
        assertTrue(messages.size() > 90, messages.size() + " messages");
        int data = 0;
        for (Message message : messages) {
            int word = message.word;
            String where = "packet %d, word 0x%08x, %d bytes".formatted(message.packet, word, message.bytes);
            switch (Word.type(word)) {
                case Word.DATA -> {
                    assertEquals(Word.value(word), message.bytes, where);
                    data++;
                }
                case Word.SGL -> {
                    assertTrue(message.bytes == 0 || message.bytes == TargetEntry.BYTES, where);
                    if (message.bytes > 0) {
                        TargetEntry entry =
                                TargetEntry.decode(MemorySegment.ofArray(message.payload), 0, ByteOrder.LITTLE_ENDIAN);
                        assertTrue(entry.length() > 0 && entry.length() <= 1 << 20, where);
                    }
                }
                case Word.IOMAP -> assertEquals(MapEntry.BYTES, message.bytes, where);
                case Word.CONTROL -> assertTrue(word == Word.DISCONNECT || word == Word.SHUTDOWN, where);
                default -> throw new AssertionError(where);
            }
        }
        assertTrue(data > 50, data + " data messages");
    }
}
