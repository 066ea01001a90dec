package io.verbena.verbs.attr;

/// The link layer of a port. Counterpart of the `IBV_LINK_LAYER_*` constants; [#code] is the C value.
public enum LinkLayer {
    UNSPECIFIED("Unspecified"),
    INFINIBAND("InfiniBand"),
    ETHERNET("Ethernet");

    private final String text;

    LinkLayer(String text) {
        this.text = text;
    }

    /// The number of this value in C.
    public int code() {
        return ordinal();
    }

    /// UNSPECIFIED for a number that is not listed here, as C programs take it.
    public static LinkLayer ofCode(int code) {
        return Codes.find(values(), LinkLayer::code, code, UNSPECIFIED);
    }

    @Override
    public String toString() {
        return text;
    }
}
