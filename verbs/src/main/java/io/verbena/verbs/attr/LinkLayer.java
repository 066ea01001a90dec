package io.verbena.verbs.attr;

/// What carries the packets of a port. Counterpart of the `IBV_LINK_LAYER_*` constants.
public enum LinkLayer {
    UNSPECIFIED("Unspecified"),
    INFINIBAND("InfiniBand"),
    ETHERNET("Ethernet");

    private final String text;

    LinkLayer(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
