package io.verbena.tools.device;

import picocli.CommandLine.Option;

/// The option `--path`, for every command that uses a software device.
public final class PathOption {
    @Option(
            names = "--path",
            paramLabel = "auto|udp|shared",
            description = {
                "Software device: the path of reliable connections to a peer on this host."
                        + " auto: shared memory where both"
                        + " sides can, else UDP; udp: UDP always; shared: shared memory only.",
                "Default: the property verbena.soft.path, else auto."
            })
    private SoftPath path;

    /// Null unless it was given.
    public SoftPath value() {
        return path;
    }

    public boolean isGiven() {
        return path != null;
    }

    /// Makes devices that are opened from now on take it, if it was given.
    public void use() {
        if (path != null) {
            path.use();
        }
    }
}
