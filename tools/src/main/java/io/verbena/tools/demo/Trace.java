package io.verbena.tools.demo;

import io.verbena.report.OutputFile;
import io.verbena.roce.dump.PacketText;
import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The packets of a demo, from the capture file of the server's device.
final class Trace implements AutoCloseable {
    private static final int SHOWN = 20;

    private final Path file;
    /// The device drops packets that do not fit on the disk: its capture becomes the file only when it is complete.
    private final Path captured;

    Trace(Path file) throws IOException {
        this.file = file;
        this.captured = Files.createTempFile("verbena-demo", ".pcap");
    }

    /// The system property that turns on capturing in the software device.
    String property() {
        return "verbena.soft.capture=" + captured;
    }

    /// Writes the file, and prints its first packets and their number.
    void print(PrintWriter out) throws IOException {
        if (Files.size(captured) == 0) {
            throw new ProgramException("no packets could be captured in " + captured + "; is its disk full?");
        }
        OutputFile.write(file, true, written -> Files.copy(captured, written));
        int count = 0;
        try (PcapReader packets = new PcapReader(captured)) {
            long startNs = 0;
            for (PcapRecord packet = packets.next(); packet != null; packet = packets.next()) {
                startNs = count == 0 ? packet.timestampNs() : startNs;
                if (++count <= SHOWN && packet.isIp()) {
                    double ms = (packet.timestampNs() - startNs) / 1e6;
                    out.printf(Locale.ROOT, "%10.3f  %s%n", ms, PacketText.line(packet.ipPacket()));
                }
            }
        }
        out.printf(Locale.ROOT, "%,d packets are in %s; Wireshark shows them, too%n", count, file);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(captured);
    }
}
