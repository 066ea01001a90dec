package io.verbena.verbs.attr;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;

/// Global identifier of a port: 128 bits. On RoCEv2 it is the port's IP address (IPv4 as `::ffff:a.b.c.d`).
/// Counterpart of `union ibv_gid`.
public record Gid(long high, long low) {
    private static final long IPV4_PREFIX = 0x0000_FFFF_0000_0000L;

    /// The GID of an IP address, as RoCEv2 uses it.
    public static Gid of(InetAddress address) {
        byte[] raw = Objects.requireNonNull(address, "the address is null").getAddress();
        if (address instanceof Inet4Address) {
            return new Gid(0, IPV4_PREFIX | ByteBuffer.wrap(raw).getInt() & 0xFFFF_FFFFL);
        }
        ByteBuffer bytes = ByteBuffer.wrap(raw);
        return new Gid(bytes.getLong(), bytes.getLong());
    }

    /// The GID with these 16 bytes.
    public static Gid of(byte[] raw) {
        if (Objects.requireNonNull(raw, "the bytes of the GID are null").length != 16) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + raw.length);
        }
        ByteBuffer bytes = ByteBuffer.wrap(raw);
        return new Gid(bytes.getLong(), bytes.getLong());
    }

    /// Whether it stands for an IPv4 address.
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xFFFF;
    }

    /// Its 16 bytes, in network order.
    public byte[] bytes() {
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }

    /// The IP address this GID stands for on RoCEv2.
    public InetAddress address() {
        try {
            return InetAddress.getByAddress(
                    isIpv4() ? ByteBuffer.allocate(4).putInt((int) low).array() : bytes());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("an address of 4 or 16 bytes is always legal", impossible);
        }
    }

    /// Eight groups of four hex digits, as `ibv_devinfo` prints it.
    @Override
    public String toString() {
        String hex = HexFormat.of().formatHex(bytes());
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < 32; i += 4) {
            text.append(i == 0 ? "" : ":").append(hex, i, i + 4);
        }
        return text.toString();
    }
}
