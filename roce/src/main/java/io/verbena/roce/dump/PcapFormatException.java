package io.verbena.roce.dump;

import java.io.IOException;

/// A file is not a capture file that can be read here, or ends in the middle; the message says where.
public final class PcapFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    /// For a file with that flaw.
    public PcapFormatException(String message) {
        super(message);
    }
}
