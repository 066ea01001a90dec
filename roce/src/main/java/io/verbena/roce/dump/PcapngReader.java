package io.verbena.roce.dump;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads a capture file of the next generation (pcapng), as Wireshark and dumpcap write it: sections of either byte
/// order, several interfaces, timestamps of any resolution. Blocks of other kinds are skipped.
public final class PcapngReader implements Closeable {
    private static final int SECTION = PcapReader.PCAPNG_MAGIC;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;
    private static final int TIME_RESOLUTION = 9;
    private static final int BLOCK_HEADER_BYTES = 8;
    private static final int SMALLEST_BLOCK = 12;
    private static final int MAX_BLOCK_BYTES = 4 * PcapReader.MAX_FRAME_BYTES;
    private static final int ENHANCED_HEADER_BYTES = 20;
    private static final int FINEST_DECIMAL = 18;
    private static final int FINEST_BINARY = 62;
    private static final long MICROSECONDS = 1_000_000;
    private static final long NS_PER_SECOND = 1_000_000_000;

    /// The link type is null when frames of this interface are not read here.
    private record Interface(LinkType linkType, long ticksPerSecond) {}

    private final InputStream in;
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private int blocks;
    private int skipped;

    /// Opens a capture file.
    public PcapngReader(Path file) throws IOException {
        this(new BufferedInputStream(Files.newInputStream(file)));
    }

    /// Reads from a stream.
    public PcapngReader(InputStream in) {
        this.in = in;
    }

    /// The next frame, or null at the end of the file.
    ///
    /// @throws PcapFormatException when the file ends inside a block or claims an impossible length
    public PcapRecord next() throws IOException {
        while (true) {
            byte[] start = in.readNBytes(BLOCK_HEADER_BYTES);
            if (start.length == 0) {
                return null;
            }
            blocks++;
            if (start.length < BLOCK_HEADER_BYTES) {
                throw new PcapFormatException("the file ends inside the header of block " + blocks);
            }
            PcapRecord frame = block(ByteBuffer.wrap(start));
            if (frame != null) {
                return frame;
            }
        }
    }

    /// How many frames came from interfaces of a link type that is not read here.
    public int skipped() {
        return skipped;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private PcapRecord block(ByteBuffer start) throws IOException {
        int type = start.order(order).getInt(0);
        byte[] magic = new byte[0];
        if (type == SECTION) {
            magic = in.readNBytes(Integer.BYTES);
            order = magic.length == Integer.BYTES && ByteBuffer.wrap(magic).getInt() == BYTE_ORDER_MAGIC
                    ? ByteOrder.BIG_ENDIAN
                    : ByteOrder.LITTLE_ENDIAN;
            interfaces.clear();
        }
        long length = Integer.toUnsignedLong(start.order(order).getInt(4));
        if (length < SMALLEST_BLOCK || length > MAX_BLOCK_BYTES || length % 4 != 0) {
            throw new PcapFormatException(
                    "block %d claims %d bytes, the limit is %d".formatted(blocks, length, MAX_BLOCK_BYTES));
        }
        int rest = (int) length - BLOCK_HEADER_BYTES - magic.length;
        require(rest >= Integer.BYTES, "no room for its length at the end");
        byte[] body = in.readNBytes(rest);
        if (body.length < rest) {
            throw new PcapFormatException(
                    "the file ends inside block %d: %d of %d bytes are there".formatted(blocks, body.length, rest));
        }
        ByteBuffer content =
                ByteBuffer.wrap(body, 0, rest - Integer.BYTES).slice().order(order);
        return switch (type) {
            case INTERFACE -> {
                interfaces.add(description(content));
                yield null;
            }
            case ENHANCED_PACKET -> enhanced(content);
            case SIMPLE_PACKET -> simple(content);
            default -> null;
        };
    }

    private Interface description(ByteBuffer content) throws PcapFormatException {
        require(content.limit() >= 8, "an interface");
        LinkType type;
        try {
            type = LinkType.of(Short.toUnsignedInt(content.getShort(0)));
        } catch (PcapFormatException e) {
            type = null; // another interface may have frames that are read
        }
        long ticksPerSecond = MICROSECONDS;
        for (int at = 8; at + 4 <= content.limit(); ) {
            int code = Short.toUnsignedInt(content.getShort(at));
            int length = Short.toUnsignedInt(content.getShort(at + 2));
            if (code == TIME_RESOLUTION && length == 1 && at + 5 <= content.limit()) {
                ticksPerSecond = ticksPerSecond(content.get(at + 4));
            }
            at += 4 + (length + 3 & ~3);
        }
        return new Interface(type, ticksPerSecond);
    }

    /// The highest bit tells whether it is a power of 2 or of 10.
    private long ticksPerSecond(byte resolution) throws PcapFormatException {
        int exponent = resolution & 0x7F;
        require(
                exponent <= (resolution < 0 ? FINEST_BINARY : FINEST_DECIMAL),
                "timestamps finer than 64 bits can count");
        return resolution < 0 ? 1L << exponent : Math.powExact(10L, exponent);
    }

    /// Seconds and their rest apart, so that neither overflows. Nanoseconds and microseconds stay exact.
    private long timeNs(long ticks, long ticksPerSecond) throws PcapFormatException {
        long seconds = Long.divideUnsigned(ticks, ticksPerSecond);
        require(
                Long.compareUnsigned(seconds, Long.MAX_VALUE / NS_PER_SECOND) < 0,
                "a packet of a time after the year 2262");
        double rest = Long.remainderUnsigned(ticks, ticksPerSecond);
        return seconds * NS_PER_SECOND + Math.round(rest * NS_PER_SECOND / ticksPerSecond);
    }

    private PcapRecord enhanced(ByteBuffer content) throws PcapFormatException {
        require(content.limit() >= ENHANCED_HEADER_BYTES, "a packet");
        long ticks = Integer.toUnsignedLong(content.getInt(4)) << 32 | Integer.toUnsignedLong(content.getInt(8));
        int captured = content.getInt(12);
        return frame(content, content.getInt(0), ticks, ENHANCED_HEADER_BYTES, captured, content.getInt(16));
    }

    /// Has no time.
    private PcapRecord simple(ByteBuffer content) throws PcapFormatException {
        require(content.limit() >= 4, "a packet");
        int original = content.getInt(0);
        return frame(content, 0, 0, 4, Math.min(original, content.limit() - 4), original);
    }

    private PcapRecord frame(ByteBuffer content, int interfaceId, long ticks, int from, int captured, int original)
            throws PcapFormatException {
        require(interfaceId >= 0 && interfaceId < interfaces.size(), "a packet of an interface that was not described");
        require(captured >= 0 && captured <= content.limit() - from, "a packet longer than its block");
        Interface description = interfaces.get(interfaceId);
        if (description.linkType() == null) {
            skipped++;
            return null;
        }
        byte[] frame = new byte[captured];
        content.get(from, frame);
        long timeNs = timeNs(ticks, description.ticksPerSecond());
        return new PcapRecord(timeNs, original, description.linkType(), frame);
    }

    private void require(boolean condition, String what) throws PcapFormatException {
        if (!condition) {
            throw new PcapFormatException("block %d has %s".formatted(blocks, what));
        }
    }
}
