package io.verbena.tools.demo;

import io.verbena.roce.dump.PacketText;
import io.verbena.roce.dump.PcapReader;
import io.verbena.roce.dump.PcapRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// The packets of a demo, as the server's device wrote them to a capture file.
final class Trace {
    private static final int SHOWN = 20;

    private final Path file;

    Trace(Path file) {
        this.file = file;
    }

    /// The system property that makes the software device capture.
    String property() {
        return "verbena.soft.capture=" + file.toAbsolutePath();
    }

    /// Shows the first packets and says how many there are.
    void print(PrintWriter out) throws IOException {
        if (!Files.exists(file)) {
            throw new DemoException("the server wrote no trace to " + file);
        }
        int count = 0;
        try (PcapReader packets = new PcapReader(file)) {
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
}
