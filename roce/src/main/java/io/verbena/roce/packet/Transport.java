package io.verbena.roce.packet;

/// The transport service an opcode belongs to, told by its top three bits.
public enum Transport {
    RC(0x00),
    UC(0x20),
    RD(0x40),
    UD(0x60),
    CNP(0x80),
    XRC(0xA0);

    private final int base;

    Transport(int base) {
        this.base = base;
    }

    /// The lowest opcode of this transport.
    public int base() {
        return base;
    }
}
