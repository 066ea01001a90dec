package io.verbena.roce.mad;

import io.verbena.roce.bytes.BigEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;

/// The header in front of the user's private data of a REQ or SIDR_REQ, and only there.
///
/// The destination port is not in it; the service id has it.
///
/// @param ipVersion 4 or 6
/// @param sourcePort the active side's RDMA port
/// @param source 16 bytes; an IPv4 address is in the last four and the others are zero
/// @param destination as `source`
public record CmaHeader(int version, int ipVersion, int sourcePort, byte[] source, byte[] destination) {
    public static final int BYTES = 36;

    /// The only version there is.
    public static final int VERSION = 0;

    private static final int ADDRESS_BYTES = 16;
    private static final int IPV4_BYTES = 4;
    private static final int SOURCE_AT = 4;
    private static final int DESTINATION_AT = 20;
    private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;

    /// Refuses an unknown IP version, and numbers that do not fit their fields.
    public CmaHeader {
        if (ipVersion != 4 && ipVersion != 6) {
            throw new IllegalArgumentException("IP version is " + ipVersion + ", must be 4 or 6");
        }
        Field.fits("version", version, 8);
        Field.fits("sourcePort", sourcePort, 16);
        source = wide("source", source);
        destination = wide("destination", destination);
    }

    /// A header between two addresses of 4 bytes each or 16 bytes each, as `InetAddress.getAddress` gives them.
    public static CmaHeader of(int sourcePort, byte[] source, byte[] destination) {
        if (source.length != destination.length) {
            throw new IllegalArgumentException(
                    "source has %d bytes, destination %d".formatted(source.length, destination.length));
        }
        return new CmaHeader(VERSION, source.length == IPV4_BYTES ? 4 : 6, sourcePort, source, destination);
    }

    /// A header between two addresses in GID form: an IPv4 address a.b.c.d is 0 and `0x0000_ffff_aabb_ccdd`.
    public static CmaHeader of(int sourcePort, long sourceHi, long sourceLo, long destinationHi, long destinationLo) {
        return of(sourcePort, address(sourceHi, sourceLo), address(destinationHi, destinationLo));
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
        return new CmaHeader(
                version,
                ipVersion,
                BigEndian.u16(p, 2),
                Field.read(p, SOURCE_AT, ADDRESS_BYTES),
                Field.read(p, DESTINATION_AT, ADDRESS_BYTES));
    }

    /// The 36 bytes followed by the user's data, ready to be the private data of a message.
    public byte[] encode(byte... userData) {
        byte[] bytes = new byte[BYTES + userData.length];
        MemorySegment p = MemorySegment.ofArray(bytes);
        BigEndian.u8(p, 0, version);
        BigEndian.u8(p, 1, ipVersion << 4);
        BigEndian.u16(p, 2, sourcePort);
        Field.write(p, SOURCE_AT, source);
        Field.write(p, DESTINATION_AT, destination);
        Field.write(p, BYTES, userData);
        return bytes;
    }

    /// A copy of the 16 bytes of the source address.
    @Override
    public byte[] source() {
        return source.clone();
    }

    /// A copy of the 16 bytes of the destination address.
    @Override
    public byte[] destination() {
        return destination.clone();
    }

    /// 4 or 16 bytes, as `InetAddress.getByAddress` takes them.
    public byte[] sourceAddress() {
        return narrow(source);
    }

    /// 4 or 16 bytes, as `InetAddress.getByAddress` takes them.
    public byte[] destinationAddress() {
        return narrow(destination);
    }

    /// The first half of the source address in GID form.
    public long sourceGidHi() {
        return gidHi(source);
    }

    /// The second half of the source address in GID form.
    public long sourceGidLo() {
        return gidLo(source);
    }

    /// The first half of the destination address in GID form.
    public long destinationGidHi() {
        return gidHi(destination);
    }

    /// The second half of the destination address in GID form.
    public long destinationGidLo() {
        return gidLo(destination);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CmaHeader that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return "CmaHeader[version=%d, ipVersion=%d, sourcePort=%d, source=%s, destination=%s]"
                .formatted(version, ipVersion, sourcePort, hex.formatHex(source), hex.formatHex(destination));
    }

    private static byte[] address(long hi, long lo) {
        boolean ipv4 = hi == 0 && lo >>> 32 == 0xFFFF;
        byte[] bytes = new byte[ipv4 ? IPV4_BYTES : ADDRESS_BYTES];
        MemorySegment p = MemorySegment.ofArray(bytes);
        if (ipv4) {
            BigEndian.i32(p, 0, (int) lo);
        } else {
            BigEndian.i64(p, 0, hi);
            BigEndian.i64(p, 8, lo);
        }
        return bytes;
    }

    private static byte[] wide(String name, byte[] address) {
        if (address.length != IPV4_BYTES && address.length != ADDRESS_BYTES) {
            throw new IllegalArgumentException("%s has %d bytes, an address has %d or %d"
                    .formatted(name, address.length, IPV4_BYTES, ADDRESS_BYTES));
        }
        byte[] wide = new byte[ADDRESS_BYTES];
        System.arraycopy(address, 0, wide, ADDRESS_BYTES - address.length, address.length);
        return wide;
    }

    private byte[] narrow(byte[] wide) {
        return Arrays.copyOfRange(wide, ipVersion == 4 ? ADDRESS_BYTES - IPV4_BYTES : 0, ADDRESS_BYTES);
    }

    private long gidHi(byte[] wide) {
        return ipVersion == 4 ? 0 : BigEndian.i64(MemorySegment.ofArray(wide), 0);
    }

    private long gidLo(byte[] wide) {
        long lo = BigEndian.i64(MemorySegment.ofArray(wide), 8);
        return ipVersion == 4 ? IPV4_MAPPED | lo & 0xFFFF_FFFFL : lo;
    }
}
