package io.verbena.roce.dump;

/// The first header of the frames of a capture file.
public enum LinkType {
    ETHERNET(1),
    /// The IP header, of either version.
    RAW(101);

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
        throw new PcapFormatException("link type " + code + " is not read here, only Ethernet (1) and raw IP (101)");
    }
}
