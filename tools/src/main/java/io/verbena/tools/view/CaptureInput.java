package io.verbena.tools.view;

import io.verbena.roce.dump.MalformedPacketException;
import io.verbena.roce.dump.PcapFormatException;
import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.roce.dump.PcapngReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/// Reads the RoCEv2 packets of a capture, as far as the file goes.
final class CaptureInput {
    private static final int IPV6_BYTES = 40;

    /// Where the IP header ends whose length fields are needed.
    private static final int SMALLEST_IP = 20;

    private final Path file;
    private final Consumer<String> problems;
    private final List<CapturedPacket> packets = new ArrayList<>();
    private int others;
    private int cut;
    private int headless;
    private String firstOther = "";

    private CaptureInput(Path file, Consumer<String> problems) {
        this.file = file;
        this.problems = problems;
    }

    /// @param problems takes a sentence for what could not be read
    static List<CapturedPacket> read(Path file, boolean isNextGeneration, Consumer<String> problems)
            throws IOException {
        var input = new CaptureInput(file, problems);
        try {
            if (isNextGeneration) {
                try (var reader = new PcapngReader(file)) {
                    input.readAll(reader::next, reader::skipped);
                }
            } else {
                try (var reader = new PcapReader(file)) {
                    input.readAll(reader::next, () -> 0);
                }
            }
        } catch (PcapFormatException e) {
            problems.accept(
                    file + ": " + e.getMessage() + "; " + input.packets.size() + " packets before it are shown");
        }
        input.tellOfOthers();
        return input.packets;
    }

    @FunctionalInterface
    private interface Records {
        PcapRecord next() throws IOException;
    }

    private void readAll(Records records, IntSupplier skipped) throws IOException {
        try {
            for (PcapRecord each = records.next(); each != null; each = records.next()) {
                add(each);
            }
        } finally {
            tellOfSkipped(skipped.getAsInt());
        }
    }

    private void add(PcapRecord frame) {
        byte[] captured = frame.ipPacket();
        byte[] packet = filledUp(captured);
        boolean isCut = packet.length > captured.length;
        try {
            if (isCut && captured.length < CapturedPacket.neededBytes(packet)) {
                headless++;
                return;
            }
            packets.add(CapturedPacket.of(frame.timestampNs(), packet));
            cut += isCut ? 1 : 0;
        } catch (MalformedPacketException | IllegalArgumentException e) {
            others++;
            firstOther = firstOther.isEmpty() ? e.getMessage() : firstOther;
        }
    }

    /// A capture may hold only the first bytes of each packet: its headers are read all the same.
    private static byte[] filledUp(byte[] packet) {
        if (packet.length < SMALLEST_IP) {
            return packet;
        }
        ByteBuffer header = ByteBuffer.wrap(packet);
        boolean ipv6 = packet[0] >>> 4 == 6;
        int claimed =
                ipv6 ? IPV6_BYTES + Short.toUnsignedInt(header.getShort(4)) : Short.toUnsignedInt(header.getShort(2));
        return claimed > packet.length ? Arrays.copyOf(packet, claimed) : packet;
    }

    private void tellOfOthers() {
        if (others > 0) {
            problems.accept("%s: %d frames are no RoCEv2 packets (the first: %s)".formatted(file, others, firstOther));
        }
        if (headless > 0) {
            problems.accept(("%s: %d packets were cut inside their headers and are not shown; capture more of each, as"
                            + " tcpdump -s 400 does")
                    .formatted(file, headless));
        }
        if (cut > 0) {
            problems.accept("%s: %d packets were captured in part; data and CRC behind the headers are not known"
                    .formatted(file, cut));
        }
    }

    private void tellOfSkipped(int skipped) {
        if (skipped > 0) {
            problems.accept("%s: %d frames of interfaces with another link type are not read".formatted(file, skipped));
        }
    }
}
