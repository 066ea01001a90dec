package io.verbena.soft.net;

import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.CLibrary;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.net.InetAddress;

/// The errors of opening a wire, each with its likely cause and remedy.
final class OpenFailure {
    private OpenFailure() {}

    static String verb(InetAddress local) {
        return "open soft device " + AddressText.of(local);
    }

    static RdmaException taken(InetAddress local, Throwable cause) {
        return new RdmaException(
                verb(local), Errno.EADDRINUSE, PortOwner.find(local).explain(local), cause);
    }

    /// @param squatter another user's process that keeps processes of this one from sharing the address, or empty
    static RdmaException taken(InetAddress local, String squatter) {
        String explanation = PortOwner.find(local).explain(local);
        return new RdmaException(
                verb(local),
                Errno.EADDRINUSE,
                squatter.isEmpty()
                        ? explanation
                        : explanation + "; processes of this user cannot share it, because " + squatter
                                + " has taken the name of their Unix socket: end that one first");
    }

    static RdmaException notLocal(InetAddress local, Throwable cause) {
        String explanation =
                "this host has no address %s; name one of its own addresses, or 127.0.0.1 to stay on this host"
                        .formatted(AddressText.of(local));
        return new RdmaException(verb(local), Errno.EADDRNOTAVAIL, explanation, cause);
    }

    static RdmaException notOneAddress(InetAddress local) {
        String explanation = "a device stands for one unicast address, because packets carry it in their checksum;"
                + " open one device for each address of this host";
        return new RdmaException(verb(local), Errno.EINVAL, explanation);
    }

    static RdmaException call(InetAddress local, String call, int error) {
        String explanation = "%s failed with error %d; ".formatted(call, error)
                + (error == Errno.EMFILE.number()
                        ? "this process has too many open files; close some, or raise the limit (ulimit -n)"
                        : "run with -Dverbena.soft.wire=nio to do without native calls");
        return new RdmaException(verb(local), Errno.of(error), explanation);
    }

    static RdmaException noNativeAccess(InetAddress local, Throwable cause) {
        String explanation = "the Linux wire needs Linux and native access; run with" + " " + CLibrary.accessOption()
                + ", or without -D" + SoftProperties.SOCKET;
        return new RdmaException(verb(local), Errno.EOPNOTSUPP, explanation, cause);
    }

    static RdmaException channel(InetAddress local, Exception cause) {
        return new RdmaException(verb(local), Errno.EIO, "the system refused the UDP socket: " + cause, cause);
    }
}
