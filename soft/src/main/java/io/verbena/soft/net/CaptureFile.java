package io.verbena.soft.net;

import io.verbena.roce.dump.PcapWriter;
import io.verbena.roce.packet.Icrc;
import io.verbena.soft.os.NanoClock;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/// A capture file of limited size. Writing never disturbs the traffic: when the limit is reached or the disk is
/// full, it stops, and says so once in the log. Any thread may use it.
final class CaptureFile implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int FILE_HEADER_BYTES = 24;

    /// Record header, and the IPv6 and UDP headers that the writer puts before each frame.
    private static final int RECORD_HEADER_BYTES = 16 + 40 + 8;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final Path file;
    private final long limitBytes;
    private final NanoClock clock;
    private final long epochOffsetNs;
    private final PcapWriter writer;
    /// Sockets do not tell the identification of packets, but the ICRC does.
    private final Icrc icrc = new Icrc();

    private long writtenBytes = FILE_HEADER_BYTES;
    private boolean stopped;
    private boolean unflushed;

    CaptureFile(Path file, long limitBytes, NanoClock clock) throws IOException {
        this.file = file;
        this.limitBytes = limitBytes;
        this.clock = clock;
        Instant now = Instant.now();
        epochOffsetNs = now.getEpochSecond() * NS_PER_SECOND + now.getNano() - clock.nowNs();
        writer = new PcapWriter(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
    }

    synchronized void write(
            long sourceHigh,
            long sourceLow,
            int sourcePort,
            long destinationHigh,
            long destinationLow,
            long traffic,
            ByteBuffer bytes,
            int offset,
            int length) {
        if (stopped) {
            return;
        }
        writtenBytes += RECORD_HEADER_BYTES + length;
        if (writtenBytes > limitBytes) {
            stop(
                    "the limit of " + limitBytes + " bytes is reached; set more with -D" + Wires.CAPTURE_LIMIT_PROPERTY,
                    null);
            return;
        }
        try {
            writer.write(
                    epochOffsetNs + clock.nowNs(),
                    sourceHigh,
                    sourceLow,
                    sourcePort,
                    destinationHigh,
                    destinationLow,
                    Traffic.trafficClass(traffic),
                    Traffic.hopLimit(traffic),
                    Traffic.flowLabel(traffic),
                    icrc.identification(
                            sourceHigh,
                            sourceLow,
                            destinationHigh,
                            destinationLow,
                            sourcePort,
                            bytes,
                            offset,
                            offset + length),
                    bytes,
                    offset,
                    offset + length);
            unflushed = true;
        } catch (IOException e) {
            stop("the file cannot be written", e);
        }
    }

    /// Brings the file up to date, so that it can be read while the program runs.
    synchronized void flush() {
        if (unflushed && !stopped) {
            unflushed = false;
            try {
                writer.flush();
            } catch (IOException e) {
                stop("the file cannot be written", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (!stopped) {
            stopped = true;
            closeWriter();
        }
    }

    private void stop(String why, IOException cause) {
        stopped = true;
        Wires.LOG.log(System.Logger.Level.WARNING, "capture to " + file + " stops: " + why, cause);
        closeWriter();
    }

    private void closeWriter() {
        try {
            writer.close();
        } catch (IOException e) {
            Wires.LOG.log(System.Logger.Level.WARNING, "capture to " + file + " may lack its end", e);
        }
    }
}
