package io.verbena.soft.net;

import io.verbena.soft.os.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Opens the capture file that the system properties ask for.
final class CaptureOption {
    private static final long DEFAULT_LIMIT_BYTES = 256L << 20;

    private CaptureOption() {}

    /// Null when no capture is asked for. In the file's name `%p` is the process id and `%a` the device's address.
    static CaptureFile open(InetAddress local) {
        String name = System.getProperty(Wires.CAPTURE_PROPERTY, "");
        if (name.isBlank()) {
            return null;
        }
        long limitBytes = limitBytes(local);
        String address = AddressText.of(local).replace(':', '-').replace('%', '-');
        String full =
                name.replace("%p", Long.toString(ProcessHandle.current().pid())).replace("%a", address);
        try {
            return new CaptureFile(Path.of(full), limitBytes, NanoClock.SYSTEM);
        } catch (IOException | InvalidPathException e) {
            throw OpenFailure.property(
                    local,
                    Wires.CAPTURE_PROPERTY,
                    full + " cannot be written (" + e + "); name a file in a directory that exists");
        }
    }

    private static long limitBytes(InetAddress local) {
        String text = System.getProperty(Wires.CAPTURE_LIMIT_PROPERTY, "");
        try {
            return text.isBlank() ? DEFAULT_LIMIT_BYTES : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw OpenFailure.property(local, Wires.CAPTURE_LIMIT_PROPERTY, text + ": say a number of bytes");
        }
    }
}
