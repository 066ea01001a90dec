package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;

/// The header in front of the user's private data of a REQ or SIDR_REQ, and only there.
///
/// The destination port is not in it; the service id has it. Addresses are two longs in GID form: the IPv4 address
/// a.b.c.d is 0 and `0x0000_ffff_aabb_ccdd`.
///
/// @param ipVersion 4 or 6
/// @param sourcePort the active side's RDMA port
public record CmaHeader(
        int version,
        int ipVersion,
        int sourcePort,
        long sourceGidHi,
        long sourceGidLo,
        long destinationGidHi,
        long destinationGidLo) {
    public static final int BYTES = 36;

    /// The only version there is.
    public static final int VERSION = 0;

    private static final int ADDRESS_BYTES = 16;
    private static final int IPV4_BYTES = 4;
    private static final int IPV4_AT = ADDRESS_BYTES - IPV4_BYTES;
    private static final int SOURCE_AT = 4;
    private static final int DESTINATION_AT = 20;
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;

    /// Refuses an unknown IP version, addresses of another one, and numbers that do not fit their fields.
    public CmaHeader {
        if (ipVersion != 4 && ipVersion != 6) {
            throw new IllegalArgumentException("IP version is " + ipVersion + ", must be 4 or 6");
        }
        if (ipVersion == 4 && !(isIpv4(sourceGidHi, sourceGidLo) && isIpv4(destinationGidHi, destinationGidLo))) {
            throw new IllegalArgumentException("IP version is 4, but an address is of version 6");
        }
        Field.fits("version", version, 8);
        Field.fits("sourcePort", sourcePort, 16);
    }

    /// A header between two addresses of 4 bytes each or 16 bytes each, as `InetAddress.getAddress` gives them.
    public static CmaHeader of(int sourcePort, byte[] source, byte[] destination) {
        if (source.length != destination.length) {
            throw new IllegalArgumentException(
                    "source has %d bytes, destination %d".formatted(source.length, destination.length));
        }
        if (source.length != IPV4_BYTES && source.length != ADDRESS_BYTES) {
            throw new IllegalArgumentException(
                    "source has %d bytes, an address has %d or %d".formatted(source.length, IPV4_BYTES, ADDRESS_BYTES));
        }
        byte[] addresses = new byte[2 * ADDRESS_BYTES];
        System.arraycopy(source, 0, addresses, ADDRESS_BYTES - source.length, source.length);
        System.arraycopy(destination, 0, addresses, 2 * ADDRESS_BYTES - source.length, source.length);
        int ipVersion = source.length == IPV4_BYTES ? 4 : 6;
        return read(VERSION, ipVersion, sourcePort, MemorySegment.ofArray(addresses));
    }

    /// A header between two addresses of one IP version.
    public static CmaHeader of(int sourcePort, long sourceHi, long sourceLo, long destinationHi, long destinationLo) {
        if (isIpv4(sourceHi, sourceLo) != isIpv4(destinationHi, destinationLo)) {
            throw new IllegalArgumentException("source and destination are of different IP versions");
        }
        int ipVersion = isIpv4(sourceHi, sourceLo) ? 4 : 6;
        return new CmaHeader(VERSION, ipVersion, sourcePort, sourceHi, sourceLo, destinationHi, destinationLo);
    }

    private static boolean isIpv4(long hi, long lo) {
        return hi == 0 && lo >>> 32 == 0xFFFF;
    }

    /// Reads the 36 bytes at the start of private data.
    ///
    /// @throws MalformedMadException when a version is unknown or bytes are missing
    public static CmaHeader decode(byte[] privateData) {
        if (privateData.length < BYTES) {
            throw new MalformedMadException(
                    "a CMA header has %d bytes, here are %d".formatted(BYTES, privateData.length));
        }
        MemorySegment p = MemorySegment.ofArray(privateData);
        int version = BigEndian.u8(p, 0);
        if (version != VERSION) {
            throw new MalformedMadException("CMA version is %d, known is %d".formatted(version, VERSION));
        }
        int ipVersion = BigEndian.u8(p, 1) >>> 4;
        if (ipVersion != 4 && ipVersion != 6) {
            throw new MalformedMadException("CMA IP version is " + ipVersion + ", known are 4 and 6");
        }
        return read(version, ipVersion, BigEndian.u16(p, 2), p.asSlice(SOURCE_AT));
    }

    /// `p` has 16 bytes of each address. Of IPv4 the last four count, whatever the others are.
    private static CmaHeader read(int version, int ipVersion, int sourcePort, MemorySegment p) {
        if (ipVersion == 6) {
            return new CmaHeader(
                    version,
                    6,
                    sourcePort,
                    BigEndian.i64(p, 0),
                    BigEndian.i64(p, 8),
                    BigEndian.i64(p, ADDRESS_BYTES),
                    BigEndian.i64(p, ADDRESS_BYTES + 8));
        }
        long source = IPV4_MAPPED | Integer.toUnsignedLong(BigEndian.i32(p, IPV4_AT));
        long destination = IPV4_MAPPED | Integer.toUnsignedLong(BigEndian.i32(p, ADDRESS_BYTES + IPV4_AT));
        return new CmaHeader(version, 4, sourcePort, 0, source, 0, destination);
    }

    /// The 36 bytes followed by the user's data, ready to be the private data of a message.
    public byte[] encode(byte... userData) {
        byte[] bytes = new byte[BYTES + userData.length];
        MemorySegment p = MemorySegment.ofArray(bytes);
        BigEndian.u8(p, 0, version);
        BigEndian.u8(p, 1, ipVersion << 4);
        BigEndian.u16(p, 2, sourcePort);
        write(p, SOURCE_AT, sourceGidHi, sourceGidLo);
        write(p, DESTINATION_AT, destinationGidHi, destinationGidLo);
        Field.write(p, BYTES, userData);
        return bytes;
    }

    private void write(MemorySegment p, int at, long hi, long lo) {
        BigEndian.i64(p, at, hi);
        BigEndian.i64(p, at + 8, ipVersion == 4 ? Integer.toUnsignedLong((int) lo) : lo);
    }

    @Override
    public String toString() {
        return MessageText.of(this);
    }
}
