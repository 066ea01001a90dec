package io.verbena.verbs;

/// The device does not offer this verb. Counterpart of EOPNOTSUPP from a provider.
public final class UnsupportedVerbException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final String device;

    /// For a verb that the device cannot do.
    public UnsupportedVerbException(String device, String verb) {
        this(device, verb, "README and docs/conformance.md tell what each device does");
    }

    /// With what would make it work.
    public UnsupportedVerbException(String device, String verb, String remedy) {
        super(verb, Errno.EOPNOTSUPP, "device " + device + " does not support it; " + remedy);
        this.device = device;
    }

    /// The name of the device.
    public String device() {
        return device;
    }
}
