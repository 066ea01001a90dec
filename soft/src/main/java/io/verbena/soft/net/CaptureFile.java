package io.verbena.soft.net;

import io.verbena.roce.dump.PcapWriter;
import io.verbena.roce.packet.Icrc;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.NanoClock;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;

/// A capture file of limited size. Writing never disturbs the packets: when the limit is reached or the disk is full,
/// the capture stops, with one line in the log. Any thread may use it.
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

    /// The file that the options ask for; null when they ask for none.
    static CaptureFile open(InetAddress local, SoftOptions options) {
        String name = options.captureFile(AddressText.of(local)).orElse(null);
        try {
            return name == null ? null : new CaptureFile(Path.of(name), options.captureLimit(), NanoClock.SYSTEM);
        } catch (IOException | InvalidPathException e) {
            throw new RdmaException(
                    OpenFailure.verb(local),
                    Errno.EINVAL,
                    "the capture file " + name + " cannot be written (" + e + "); name one in a directory that exists",
                    e);
        }
    }

    synchronized void write(Frame frame) {
        if (stopped) {
            return;
        }
        writtenBytes += RECORD_HEADER_BYTES + frame.length();
        if (writtenBytes > limitBytes) {
            stop(
                    "the limit of " + limitBytes + " bytes is reached; set more with -D" + SoftProperties.CAPTURE_LIMIT,
                    null);
            return;
        }
        int end = frame.offset() + frame.length();
        try {
            writer.write(
                    epochOffsetNs + clock.nowNs(),
                    frame.sourceHigh(),
                    frame.sourceLow(),
                    frame.sourcePort(),
                    frame.destinationHigh(),
                    frame.destinationLow(),
                    Traffic.trafficClass(frame.traffic()),
                    Traffic.hopLimit(frame.traffic()),
                    Traffic.flowLabel(frame.traffic()),
                    identification(frame, end),
                    frame.bytes(),
                    frame.offset(),
                    end);
            unflushed = true;
        } catch (IOException e) {
            stop("the file cannot be written", e);
        }
    }

    /// Sockets hide the identification of packets, so it is computed from the ICRC; 0 when the ICRC is wrong.
    private int identification(Frame frame, int end) {
        int solved = icrc.identification(
                frame.sourceHigh(),
                frame.sourceLow(),
                frame.destinationHigh(),
                frame.destinationLow(),
                frame.sourcePort(),
                frame.bytes(),
                frame.offset(),
                end);
        return Math.max(0, solved);
    }

    /// Flushes the file, so that it can be read while the program runs.
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
