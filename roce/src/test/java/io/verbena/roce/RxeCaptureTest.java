package io.verbena.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.dump.LinkType;
import io.verbena.roce.dump.PacketText;
import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.roce.dump.RocePacket;
import io.verbena.roce.header.Bth;
import io.verbena.roce.mad.AttributeId;
import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.packet.Icrc;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Every packet two Linux 6.1 kernels exchanged while they ran common RDMA programs.
class RxeCaptureTest {
    private static final int MTU = 1024;
    private static final List<byte[]> PACKETS = new ArrayList<>();

    private final Icrc icrc = new Icrc();

    @BeforeAll
    static void readCapture() throws IOException {
        InputStream file = RxeCaptureTest.class.getResourceAsStream("/rxe-6.1.pcap");
        try (PcapReader reader = new PcapReader(file)) {
            assertEquals(LinkType.ETHERNET, reader.linkType());
            for (PcapRecord next = reader.next(); next != null; next = reader.next()) {
                PACKETS.add(next.ipPacket());
            }
        }
    }

    @Test
    void shouldReadEveryPacketOfTheCapture() {
        assertEquals(217, PACKETS.size());
    }

    @Test
    void shouldEncodeTheSameHeadersWhenDecoded() {
        for (byte[] bytes : PACKETS) {
            RocePacket packet = RocePacket.of(bytes);
            byte[] copy = HeaderCopy.of(packet.bytes(), packet.transportAt());
            byte[] original =
                    packet.bytes().asSlice(packet.transportAt(), copy.length).toArray(ValueLayout.JAVA_BYTE);
            assertEquals(Hex.text(original), Hex.text(copy), PacketText.line(bytes));
        }
    }

    @Test
    void shouldAllowThePayloadOfEveryPacket() {
        for (byte[] bytes : PACKETS) {
            RocePacket packet = RocePacket.of(bytes);
            int bth = packet.transportAt();
            Opcode opcode = Opcode.of(Bth.opcode(packet.bytes(), bth));
            assertNotNull(opcode);
            int payload = bytes.length
                    - bth
                    - opcode.headerBytes()
                    - Bth.padCount(packet.bytes(), bth)
                    - RoceConstants.ICRC_BYTES;
            assertTrue(opcode.payloadRule().allows(payload, MTU), PacketText.line(bytes));
        }
    }

    @Test
    void shouldReproduceEveryIcrcWhenTheIdentificationIsKnown() {
        for (byte[] bytes : PACKETS) {
            RocePacket p = RocePacket.of(bytes);
            assertEquals(Icrc.received(bytes), Icrc.ofPacket(bytes));
            int end = bytes.length - RoceConstants.ICRC_BYTES;
            int computed = icrc.compute(
                    p.srcHi(),
                    p.srcLo(),
                    p.dstHi(),
                    p.dstLo(),
                    p.srcPort(),
                    p.identification(),
                    ByteBuffer.wrap(bytes),
                    p.transportAt(),
                    end);
            assertEquals(Icrc.received(bytes), computed, PacketText.line(bytes));
        }
    }

    @Test
    void shouldAcceptEveryPacketWhenTheIdentificationIsHidden() {
        int hidden = 0;
        for (byte[] bytes : PACKETS) {
            hidden += RocePacket.of(bytes).identification() == 0 ? 0 : 1;
            assertTrue(matches(bytes), PacketText.line(bytes));
        }
        assertTrue(hidden > 200, "the capture is no test of the residue check: " + hidden);
    }

    @Test
    void shouldRejectEveryPacketWhenABitFlips() {
        long seed = 4791;
        Random random = new Random(seed);
        for (byte[] bytes : PACKETS) {
            RocePacket packet = RocePacket.of(bytes);
            for (int round = 0; round < 50; round++) {
                byte[] damaged = bytes.clone();
                int at = packet.transportAt() + random.nextInt(bytes.length - packet.transportAt());
                if (at != packet.transportAt() + 4) { // congestion bits are not covered
                    int bit = random.nextInt(8);
                    damaged[at] ^= (byte) (1 << bit);
                    assertFalse(matches(damaged), "byte " + at + " bit " + bit + " seed " + seed);
                }
            }
        }
    }

    @Test
    void shouldEncodeTheSameMessageWhenDecoded() {
        Set<AttributeId> seen = EnumSet.noneOf(AttributeId.class);
        for (byte[] bytes : PACKETS) {
            RocePacket packet = RocePacket.of(bytes);
            int bth = packet.transportAt();
            if (Bth.destinationQp(packet.bytes(), bth) == RoceConstants.GSI_QP) {
                long at = bth + Opcode.UD_SEND_ONLY.headerBytes();
                CmMessage message = CmMessage.decode(packet.bytes(), at);
                byte[] original = packet.bytes().asSlice(at, Mad.BYTES).toArray(ValueLayout.JAVA_BYTE);
                assertEquals(Hex.text(original), Hex.text(message.toBytes()), message.toString());
                seen.add(message.attributeId());
            }
        }
        assertEquals(
                EnumSet.of(
                        AttributeId.REQ,
                        AttributeId.REP,
                        AttributeId.RTU,
                        AttributeId.DREQ,
                        AttributeId.DREP,
                        AttributeId.SIDR_REQ,
                        AttributeId.SIDR_REP),
                seen);
    }

    @Test
    void shouldDescribeEveryPacketWithoutComplaint() {
        for (byte[] bytes : PACKETS) {
            String line = PacketText.line(bytes);
            assertTrue(line.startsWith("10.77.0."), line);
            assertTrue(line.contains(" payload="), line);
            assertFalse(line.contains("MAD:"), line);
            assertTrue(PacketText.full(bytes).endsWith("right\n"), line);
        }
    }

    private boolean matches(byte[] bytes) {
        RocePacket p = RocePacket.of(bytes);
        return icrc.identification(
                        p.srcHi(),
                        p.srcLo(),
                        p.dstHi(),
                        p.dstLo(),
                        p.srcPort(),
                        ByteBuffer.wrap(bytes),
                        p.transportAt(),
                        bytes.length)
                != Icrc.DAMAGED;
    }
}
