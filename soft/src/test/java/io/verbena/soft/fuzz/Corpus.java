package io.verbena.soft.fuzz;

import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.roce.dump.RocePacket;
import io.verbena.roce.mad.Mad;
import io.verbena.roce.packet.Opcode;
import io.verbena.roce.packet.RoceConstants;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Good inputs to start from: messages between two Linux kernels, and packets of every opcode.
final class Corpus {
    private static final Path CAPTURE = Path.of("..", "roce", "src", "test", "resources", "rxe-6.1.pcap");
    private static final int PCAP_RECORDS = 6;
    private static final int PCAP_HEADER_BYTES = 24;
    private static final int RECORD_HEADER_BYTES = 16;

    private Corpus() {}

    private static byte[] capture() {
        try {
            return Files.readAllBytes(CAPTURE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// IP packets: those of the capture, one more for each opcode that it lacks.
    static List<byte[]> packets() {
        List<byte[]> packets = new ArrayList<>();
        try (PcapReader reader = new PcapReader(new ByteArrayInputStream(capture()))) {
            for (PcapRecord next = reader.next(); next != null; next = reader.next()) {
                packets.add(next.ipPacket());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] model = packets.getFirst();
        int bth = RocePacket.of(model).transportAt();
        for (Opcode opcode : Opcode.values()) {
            byte[] packet = Arrays.copyOf(model, bth + opcode.headerBytes() + 64 + RoceConstants.ICRC_BYTES);
            packet[bth] = (byte) opcode.code();
            packet[bth + 1] = 0;
            packet[2] = (byte) (packet.length >>> 8);
            packet[3] = (byte) packet.length;
            packets.add(packet);
        }
        return packets;
    }

    /// Management datagrams of the capture.
    static List<byte[]> mads() {
        List<byte[]> mads = new ArrayList<>();
        for (byte[] bytes : packets()) {
            RocePacket packet;
            try {
                packet = RocePacket.of(bytes);
            } catch (RuntimeException madeUp) {
                continue;
            }
            int at = packet.transportAt() + Opcode.UD_SEND_ONLY.headerBytes();
            boolean isMad = bytes[packet.transportAt()] == (byte) Opcode.UD_SEND_ONLY.code();
            if (isMad && bytes.length >= at + Mad.BYTES) {
                mads.add(packet.bytes().asSlice(at, Mad.BYTES).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return mads;
    }

    /// The start of the capture file, short enough to be changed in interesting places.
    static List<byte[]> captureFiles() {
        byte[] whole = capture();
        List<byte[]> files = new ArrayList<>();
        int end = PCAP_HEADER_BYTES;
        for (int i = 0; i < PCAP_RECORDS; i++) {
            files.add(Arrays.copyOf(whole, end));
            int length = (whole[end + 8] & 0xFF) | (whole[end + 9] & 0xFF) << 8;
            end += RECORD_HEADER_BYTES + length;
        }
        return files;
    }
}
