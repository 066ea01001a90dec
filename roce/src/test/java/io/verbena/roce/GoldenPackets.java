package io.verbena.roce;

/// Whole packets, from the IP header to the ICRC, whose every byte is known to be right.
public final class GoldenPackets {
    /// Congestion notification captured from a ConnectX-4 Lx.
    public static final byte[] CNP = Hex.bytes("""
            45 c2 00 3c 71 8c 40 00 40 11 91 61 0a 00 11 01 0a 00 12 01 00 00 12 b7 00 28 00 00
            81 00 ff ff 40 00 01 18 00 00 00 00 00000000 00000000 00000000 00000000 82 fd 00 2a""");

    public static final byte[] SEND_ONLY = Hex.bytes("""
            45 00 00 34 00 00 40 00 40 11 1f 65 c0 a8 4d 02
            c0 a8 4d 01 c1 23 12 b7 00 20 00 00 04 70 ff ff
            00 00 00 11 80 12 34 56 68 65 6c 6c 6f 00 00 00
            ff a6 73 d7""");

    public static final byte[] ACK_IPV6 = Hex.bytes("""
            60 21 23 45 00 1c 11 40 fd 00 00 77 00 00 00 00
            00 00 00 00 00 00 00 02 fd 00 00 77 00 00 00 00
            00 00 00 00 00 00 00 01 c1 23 12 b7 00 1c 00 00
            11 40 ff ff 00 00 00 12 00 ab cd ef 1f 00 00 07
            6b 10 7c b9""");

    public static final byte[] WRITE_ONLY = Hex.bytes("""
            45 02 00 4c 00 00 40 00 40 11 1f 4b c0 a8 4d 02
            c0 a8 4d 01 c1 23 12 b7 00 38 00 00 0a 40 ff ff
            00 00 00 11 80 12 34 57 00 00 7f 00 11 22 33 44
            00 00 1a 5c 00 00 00 10 00 01 02 03 04 05 06 07
            08 09 0a 0b 0c 0d 0e 0f d4 b3 82 ad""");

    /// From the tests of another implementation; the IPv4 checksum is left 0, the ICRC does not cover it.
    public static final byte[] UC_SEND_ONLY = Hex.bytes("""
            45 01 00 40 04 78 40 00 40 11 00 00 c0 a8 00 07 c0 a8 00 07 c0 00 12 b7 00 2c 00 00
            24 60 ff ff 00 00 00 d3 00 cf 17 10 4630818be28935d90e9a95505401be885e50 0000 78 f3 53 f3""");

    /// A connection request from 192.168.77.2 port 40001 to 192.168.77.1 port 7471 with the user data "private!".
    public static final byte[] CM_REQ = Hex.bytes("""
            45 00 01 34 00 00 40 00 40 11 1e 65 c0 a8 4d 02
            c0 a8 4d 01 c0 01 12 b7 01 20 00 00 64 40 ff ff
            00 00 00 01 00 00 00 00 80 01 00 00 00 00 00 01
            01 07 02 03 00 00 00 00 00 00 00 01 8a 6b 4c 2d
            00 10 00 00 00 00 00 00 8a 6b 4c 2d 00 00 00 00
            00 00 00 00 01 06 1d 2f 02 42 ac ff fe 12 00 02
            00 00 00 00 00 00 00 00 00 01 01 10 00 00 00 10
            00 00 00 a0 5a 12 34 a7 ff ff 37 f0 ff ff ff ff
            00 00 00 00 00 00 00 00 00 00 ff ff c0 a8 4d 02
            00 00 00 00 00 00 00 00 00 00 ff ff c0 a8 4d 01
            30 90 e0 00 00 40 00 98 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 40 9c 41 00 00 00 00 00 00 00 00
            00 00 00 00 c0 a8 4d 02 00 00 00 00 00 00 00 00
            00 00 00 00 c0 a8 4d 01 70 72 69 76 61 74 65 21
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
            64 3b 5c dc""");

    private GoldenPackets() {}
}
