package io.verbena.roce.dump;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// Reads a classic capture file of either byte order, with microsecond or nanosecond timestamps.
public final class PcapReader implements Closeable {
    private static final int MICROSECOND_MAGIC = 0xA1B2_C3D4;
    static final int PCAPNG_MAGIC = 0x0A0D_0D0A;
    private static final int FILE_HEADER_BYTES = 24;
    private static final int LINK_TYPE_AT = 20;
    private static final int LINK_TYPE_BITS = 0xFFFF;

    /// The largest frame for tcpdump and Wireshark; a file that claims a larger one is damaged.
    static final int MAX_FRAME_BYTES = 262_144;

    private final InputStream in;
    private final ByteOrder order;
    private final int nsPerTick;
    private final LinkType linkType;
    private int records;

    /// Opens a capture file and reads its header.
    public PcapReader(Path file) throws IOException {
        this(new BufferedInputStream(Files.newInputStream(file)));
    }

    /// Reads the file header.
    ///
    /// @throws PcapFormatException when this is not a capture file, or one of another link type
    public PcapReader(InputStream in) throws IOException {
        this.in = in;
        try {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(FILE_HEADER_BYTES));
            if (header.limit() < FILE_HEADER_BYTES) {
                throw new PcapFormatException("a capture file starts with %d bytes of header, here are %d"
                        .formatted(FILE_HEADER_BYTES, header.limit()));
            }
            int magic = header.getInt(0);
            order = isMagic(magic) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            int ordered = header.order(order).getInt(0);
            if (!isMagic(ordered)) {
                throw new PcapFormatException(noCapture(magic));
            }
            nsPerTick = ordered == PcapWriter.NANOSECOND_MAGIC ? 1 : 1000;
            linkType = LinkType.of(header.getInt(LINK_TYPE_AT) & LINK_TYPE_BITS);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /// The first header of the frames of the file.
    public LinkType linkType() {
        return linkType;
    }

    /// The next frame, or null at the end of the file.
    ///
    /// @throws PcapFormatException when the file ends inside a frame or claims an impossible length
    public PcapRecord next() throws IOException {
        ByteBuffer header =
                ByteBuffer.wrap(in.readNBytes(PcapWriter.RECORD_HEADER_BYTES)).order(order);
        if (header.limit() == 0) {
            return null;
        }
        records++;
        if (header.limit() < PcapWriter.RECORD_HEADER_BYTES) {
            throw new PcapFormatException("the file ends inside the header of record " + records);
        }
        int captured = header.getInt(8);
        if (captured < 0 || captured > MAX_FRAME_BYTES) {
            throw new PcapFormatException("record %d claims %d bytes, the limit is %d"
                    .formatted(records, Integer.toUnsignedLong(captured), MAX_FRAME_BYTES));
        }
        byte[] frame = in.readNBytes(captured);
        if (frame.length < captured) {
            throw new PcapFormatException("the file ends inside record %d: %d of %d bytes are there"
                    .formatted(records, frame.length, captured));
        }
        long seconds = Integer.toUnsignedLong(header.getInt(0));
        long ticks = Integer.toUnsignedLong(header.getInt(4));
        return new PcapRecord(seconds * 1_000_000_000L + ticks * nsPerTick, header.getInt(12), linkType, frame);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static boolean isMagic(int magic) {
        return magic == MICROSECOND_MAGIC || magic == PcapWriter.NANOSECOND_MAGIC;
    }

    private static String noCapture(int magic) {
        return magic == PCAPNG_MAGIC
                ? "this is a pcapng file; PcapngReader reads it"
                : "magic number 0x%08x is none of a capture file".formatted(magic);
    }
}
