package io.verbena.roce.dump;

/// The first header of the frames of a capture file.
public enum LinkType {
    ETHERNET(1),
    /// The IP header, of either version.
    RAW(101),
    /// What tcpdump writes for all interfaces at once: 16 bytes, the type last.
    LINUX_SLL(113),
    /// Its second version: 20 bytes, the type first.
    LINUX_SLL2(276);

    private static final LinkType[] VALUES = values();

    private final int code;

    LinkType(int code) {
        this.code = code;
    }

    /// The number of this type in capture files.
    public int code() {
        return code;
    }

    static LinkType of(int code) throws PcapFormatException {
        for (LinkType type : VALUES) {
            if (type.code == code) {
                return type;
            }
        }
        throw new PcapFormatException(
                "link type " + code + " is not read here, only Ethernet (1), raw IP (101) and Linux cooked (113, 276)");
    }
}
