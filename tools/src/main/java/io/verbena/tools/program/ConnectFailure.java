package io.verbena.tools.program;

import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import java.net.InetSocketAddress;

/// Why a client was not let in, in one line, with what to do about it.
public final class ConnectFailure {
    private static final int INVALID_SERVICE_ID = 8;

    private ConnectFailure() {}

    /// What to throw when connecting failed; Ctrl-C stays what it is.
    ///
    /// @param command starts the server, e.g. `verbena ping`
    /// @param last the last event of the id, or null; that of a refusal may hold the server's reason as text
    /// @param error what connecting threw
    public static RuntimeException of(String command, InetSocketAddress server, CmEvent last, RuntimeException error) {
        return Result.isInterrupt(error)
                ? error
                : new ProgramException(text(command, Result.text(server), last, error), error);
    }

    private static String text(String command, String server, CmEvent last, RuntimeException error) {
        String reason = Refusal.text(last);
        if (!reason.isEmpty()) {
            return "cannot connect to " + server + ": the server refuses: " + reason;
        }
        String start = "start the server first: " + command;
        return "cannot connect to " + server + ": "
                + switch (last == null ? CmEventType.UNKNOWN : last.type()) {
                    case REJECTED ->
                        last.status() == INVALID_SERVICE_ID ? "nobody listens there; " + start : last.explanation();
                    case UNREACHABLE -> "no answer; check the address, and " + start;
                    default -> error.getMessage();
                };
    }
}
