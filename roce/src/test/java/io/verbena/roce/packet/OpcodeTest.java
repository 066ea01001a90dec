package io.verbena.roce.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OpcodeTest {
    private static final Map<String, Integer> HEADER_BYTES = Map.ofEntries(
            Map.entry("SEND_FIRST", 12),
            Map.entry("SEND_MIDDLE", 12),
            Map.entry("SEND_LAST", 12),
            Map.entry("SEND_ONLY", 12),
            Map.entry("SEND_LAST_WITH_IMMEDIATE", 16),
            Map.entry("SEND_ONLY_WITH_IMMEDIATE", 16),
            Map.entry("SEND_LAST_WITH_INVALIDATE", 16),
            Map.entry("SEND_ONLY_WITH_INVALIDATE", 16),
            Map.entry("RDMA_WRITE_FIRST", 28),
            Map.entry("RDMA_WRITE_MIDDLE", 12),
            Map.entry("RDMA_WRITE_LAST", 12),
            Map.entry("RDMA_WRITE_LAST_WITH_IMMEDIATE", 16),
            Map.entry("RDMA_WRITE_ONLY", 28),
            Map.entry("RDMA_WRITE_ONLY_WITH_IMMEDIATE", 32),
            Map.entry("RDMA_READ_REQUEST", 28),
            Map.entry("RDMA_READ_RESPONSE_FIRST", 16),
            Map.entry("RDMA_READ_RESPONSE_MIDDLE", 12),
            Map.entry("RDMA_READ_RESPONSE_LAST", 16),
            Map.entry("RDMA_READ_RESPONSE_ONLY", 16),
            Map.entry("ACKNOWLEDGE", 16),
            Map.entry("ATOMIC_ACKNOWLEDGE", 24),
            Map.entry("COMPARE_SWAP", 40),
            Map.entry("FETCH_ADD", 40),
            Map.entry("FLUSH", 32),
            Map.entry("ATOMIC_WRITE", 28));

    @Test
    void shouldFindEveryRowByItsCode() {
        for (Opcode opcode : Opcode.values()) {
            assertSame(opcode, Opcode.of(opcode.code()));
        }
        assertEquals(
                Opcode.values().length,
                IntStream.range(0, 256).filter(code -> Opcode.of(code) != null).count());
    }

    @Test
    void shouldKnowNothingWhenTheCodeIsReserved() {
        for (int code :
                new int[] {0x15, 0x18, 0x1B, 0x1E, 0x2C, 0x36, 0x40, 0x60, 0x63, 0x66, 0x80, 0x82, 0xB5, 0xE0, 0xFF}) {
            assertNull(Opcode.of(code), "code " + code);
        }
    }

    @Test
    void shouldHaveTheHeaderLengthsOfTheSpecification() {
        for (Opcode opcode : Opcode.values()) {
            String operation = opcode.name().substring(opcode.name().indexOf('_') + 1);
            int expected = switch (opcode.transport()) {
                case RC, UC -> HEADER_BYTES.get(operation);
                case XRC -> HEADER_BYTES.get(operation) + (opcode.isRequest() ? 4 : 0);
                case UD -> HEADER_BYTES.get(operation) + 8;
                case CNP, RD -> 12;
            };
            assertEquals(expected, opcode.headerBytes(), opcode.name());
        }
    }

    @Test
    void shouldPlaceHeadersOneBehindTheOther() {
        for (Opcode opcode : Opcode.values()) {
            int end = 0;
            for (Header header : Header.values()) {
                if (opcode.has(header)) {
                    assertEquals(end, opcode.offsetOf(header), opcode + " " + header);
                    end += header.bytes();
                } else {
                    assertEquals(-1, opcode.offsetOf(header), opcode + " " + header);
                }
            }
            assertEquals(end, opcode.headerBytes(), opcode.name());
        }
    }

    @Test
    void shouldBelongToTheTransportItsNameStartsWith() {
        for (Opcode opcode : Opcode.values()) {
            assertTrue(opcode.name().startsWith(opcode.transport().name()), opcode.name());
            assertEquals(opcode.transport().base(), opcode.code() & 0xE0, opcode.name());
        }
    }

    @Test
    void shouldRepeatTheReliableRowWhenTransportIsUnreliableOrShared() {
        for (Opcode opcode : Opcode.values()) {
            if (opcode.transport() == Transport.UC || opcode.transport() == Transport.XRC) {
                Opcode reliable = Opcode.of(opcode.code() & 0x1F);
                assertEquals(
                        reliable.name().substring(3),
                        opcode.name().substring(opcode.transport().name().length() + 1));
                assertEquals(traits(reliable), traits(opcode), opcode.name());
            }
        }
    }

    @Test
    void shouldBeRequestOrResponseUnlessCongestionNotification() {
        for (Opcode opcode : Opcode.values()) {
            if (opcode == Opcode.CNP) {
                assertFalse(opcode.isRequest() || opcode.isResponse());
            } else {
                assertNotEquals(opcode.isRequest(), opcode.isResponse(), opcode.name());
            }
        }
    }

    @Test
    void shouldSayWhereMessagesStartAndEnd() {
        for (Opcode opcode : Opcode.values()) {
            if (opcode.isSend() || opcode.isWrite()) {
                String name = opcode.name();
                assertEquals(name.contains("_FIRST") || name.contains("_ONLY"), opcode.startsMessage(), name);
                assertEquals(name.contains("_LAST") || name.contains("_ONLY"), opcode.endsMessage(), name);
                assertEquals(
                        opcode.isSend() ? opcode.startsMessage() : opcode.hasImmediate(), opcode.takesReceive(), name);
                assertEquals(
                        opcode.isSend() ? opcode.endsMessage() : opcode.hasImmediate(),
                        opcode.completesReceive(),
                        name);
            } else {
                assertFalse(opcode.takesReceive() || opcode.completesReceive(), opcode.name());
            }
        }
        assertTrue(Opcode.RC_RDMA_READ_REQUEST.startsMessage() && Opcode.RC_RDMA_READ_REQUEST.endsMessage());
        assertEquals(
                8, Arrays.stream(Opcode.values()).filter(Opcode::isReadResponse).count());
    }

    @Test
    void shouldLimitThePayloadByThePositionInTheMessage() {
        assertPayload(Opcode.RC_SEND_FIRST, 1024, 1024);
        assertPayload(Opcode.RC_SEND_MIDDLE, 1024, 1024);
        assertPayload(Opcode.RC_SEND_LAST, 1, 1024);
        assertPayload(Opcode.RC_SEND_ONLY, 0, 1024);
        assertPayload(Opcode.RC_RDMA_READ_REQUEST, 0, 0);
        assertPayload(Opcode.RC_RDMA_READ_RESPONSE_MIDDLE, 1024, 1024);
        assertPayload(Opcode.RC_RDMA_READ_RESPONSE_LAST, 1, 1024);
        assertPayload(Opcode.RC_ATOMIC_WRITE, 8, 8);
        assertPayload(Opcode.RC_ACKNOWLEDGE, 0, 0);
        assertPayload(Opcode.CNP, 16, 16);
    }

    private static void assertPayload(Opcode opcode, int least, int most) {
        for (int payload = -1; payload <= 1025; payload++) {
            boolean expected = payload >= least && payload <= most;
            assertEquals(expected, opcode.payloadRule().allows(payload, 1024), opcode + " payload " + payload);
        }
    }

    private static String traits(Opcode opcode) {
        return opcode.payloadRule() + " " + opcode.isRequest() + opcode.isResponse() + opcode.startsMessage()
                + opcode.endsMessage() + opcode.takesReceive() + opcode.completesReceive() + opcode.hasImmediate()
                + opcode.isSend() + opcode.isWrite() + opcode.isReadResponse();
    }
}
