package io.verbena.roce.mad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.verbena.roce.GoldenPackets;
import io.verbena.roce.Hex;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CmReqTest {
    private static final int MAD_AT = 48;
    private static final byte[] GOLDEN_MAD = Arrays.copyOfRange(GoldenPackets.CM_REQ, MAD_AT, MAD_AT + Mad.BYTES);

    private final CmReq golden = CmReq.builder()
            .transactionId(0x1_8a6b4c2dL)
            .localCommId(0x8a6b4c2d)
            .serviceId(ServiceId.of(ServiceId.TCP, 7471))
            .localCaGuid(0x0242_acff_fe12_0002L)
            .localQpn(0x101)
            .responderResources(16)
            .initiatorDepth(16)
            .startingPsn(0x5a1234)
            .primaryPath(
                    CmPath.between(0, 0xFFFF_C0A8_4D02L, 0, 0xFFFF_C0A8_4D01L).withFlowLabel(0x3090e))
            .privateData(CmaHeader.of(40001, 0, 0xFFFF_C0A8_4D02L, 0, 0xFFFF_C0A8_4D01L)
                    .encode("private!".getBytes(StandardCharsets.US_ASCII)))
            .build();

    @Test
    void shouldEncodeTheGoldenRequestWhenOnlyWhatMattersIsSet() {
        assertEquals(Hex.text(GOLDEN_MAD), Hex.text(golden.toBytes()));
    }

    @Test
    void shouldDecodeTheGoldenRequestInsideItsPacket() {
        CmMessage decoded = CmMessage.decode(MemorySegment.ofArray(GoldenPackets.CM_REQ), MAD_AT);
        assertEquals(golden, decoded);
        assertEquals(golden.hashCode(), decoded.hashCode());
        CmReq req = assertInstanceOf(CmReq.class, decoded);
        assertEquals(7471, ServiceId.port(req.serviceId()));
        assertEquals(ServiceId.TCP, ServiceId.portSpace(req.serviceId()));
        assertEquals(AttributeId.REQ, req.attributeId());
        CmaHeader cma = CmaHeader.decode(req.privateData().toBytes());
        assertEquals(40001, cma.sourcePort());
        assertEquals(0xFFFF_C0A8_4D02L, cma.sourceGidLo());
        assertEquals(0xFFFF_C0A8_4D01L, cma.destinationGidLo());
    }

    @Test
    void shouldKeepEveryFieldWhenRebuilt() {
        assertEquals(golden, golden.toBuilder().build());
    }
}
