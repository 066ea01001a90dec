package io.verbena.sockets;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/// Why a connection does not work any more, or never did. An exception is made for each thread that is told.
///
/// @param kind which exception
/// @param message as the JDK's channels say it, then the reason
record StreamFailure(Kind kind, String message) {
    enum Kind {
        REFUSED,
        UNREACHABLE,
        TIMED_OUT,
        RESET
    }

    static StreamFailure refused(String reason) {
        return new StreamFailure(Kind.REFUSED, join("Connection refused", reason));
    }

    static StreamFailure unreachable(String reason) {
        return new StreamFailure(Kind.UNREACHABLE, join("No route to host", reason));
    }

    static StreamFailure timedOut(String reason) {
        return new StreamFailure(Kind.TIMED_OUT, join("Connection timed out", reason));
    }

    static StreamFailure reset(String reason) {
        return new StreamFailure(Kind.RESET, join("Connection reset", reason));
    }

    private static String join(String message, String reason) {
        return reason == null || reason.isEmpty() ? message : message + ": " + reason;
    }

    IOException exception() {
        return switch (kind) {
            case REFUSED, TIMED_OUT -> new ConnectException(message);
            case UNREACHABLE -> new NoRouteToHostException(message);
            case RESET -> new SocketException(message);
        };
    }
}
