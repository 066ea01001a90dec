package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.verbs.attr.Gid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class GrhWriterTest {
    private static String written(String from, String to, long traffic, int length) {
        MemorySegment memory = FrameQueue.frames(1);
        Frame frame = new Frame(memory, memory.asByteBuffer());
        Gid source = Gid.of(Loopback.address(from));
        Gid destination = Gid.of(Loopback.address(to));
        frame.show(0, length);
        frame.from(source.high(), source.low(), Wires.PORT);
        frame.to(destination.high(), destination.low());
        frame.traffic(traffic);
        MemorySegment area = Arena.ofAuto().allocate(1 + GrhWriter.BYTES + 1).fill((byte) 0xEE);
        GrhWriter.write(frame, area, 1);
        return HexFormat.of().formatHex(area.toArray(ValueLayout.JAVA_BYTE));
    }

    /// The checksum is what a capture of this header shows: 192.168.0.1 to 239.1.2.3, 56 bytes.
    @Test
    void shouldPutIpv4HeaderIntoLastTwentyBytes() {
        String header = "45b80038" + "00004000" + "0711" + "c0a80001" + "ef010203";
        int sum = 0;
        for (int i = 0; i < header.length(); i += 4) {
            sum += Integer.parseInt(header.substring(i, i + 4), 16);
        }
        String checksum = "%04x".formatted(0xFFFF - sum % 0xFFFF);
        assertEquals(
                "ee" + "00".repeat(20) + header.substring(0, 20) + checksum + header.substring(20) + "ee",
                written("192.168.0.1", "239.1.2.3", Traffic.of(0xB8, 7, 0), 28));
    }

    @Test
    void shouldPutIpv6HeaderIntoAllBytes() {
        assertEquals(
                "ee" + "60212345" + "0024" + "11" + "40" + "fd000077000000000000000000000002"
                        + "fd000077000000000000000000000001" + "ee",
                written("fd00:77::2", "fd00:77::1", Traffic.of(2, 0, 0x12345), 28));
    }
}
