package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// Explains in one line why a client could not connect, and what to do about it.
public final class ConnectFailure {
    private static final int INVALID_SERVICE_ID = 8;

    private ConnectFailure() {}

    /// The exception to throw when connecting failed; Ctrl-C stays what it is.
    ///
    /// @param command starts the server, e.g. `verbena ping`
    /// @param last the last event of the id, or null; after a reject it may hold the server's reason as text
    /// @param error what connecting threw
    public static RuntimeException of(String command, InetSocketAddress server, CmEvent last, RuntimeException error) {
        return Result.isInterrupt(error) ? error : new ProgramException(text(command, server, last, error), error);
    }

    private static String text(String command, InetSocketAddress address, CmEvent last, RuntimeException error) {
        String server = AddressText.of(address);
        String reason = Refusal.text(last);
        if (!reason.isEmpty()) {
            return "cannot connect to " + server + ": the server refuses: " + reason;
        }
        String start = "start the server first: " + command + option(address.getAddress());
        return "cannot connect to " + server + ": "
                + switch (last == null ? CmEventType.UNKNOWN : last.type()) {
                    case REJECTED -> last.status() == INVALID_SERVICE_ID ? nobody(command, start) : last.explanation();
                    case UNREACHABLE ->
                        last.status() == -Errno.ECONNREFUSED.number()
                                ? nobody(command, start)
                                : "no answer; check the address, and " + start;
                    default -> error.getMessage();
                };
    }

    private static String nobody(String command, String start) {
        String running = RunningServers.here().text(command.split(" ")[1]);
        return "nobody listens there; " + start + (running.isEmpty() ? "" : ", or check address and port: " + running);
    }

    /// Without the option a server is at the addresses of the interfaces: of 127.0.0.0/8 that is 127.0.0.1 alone.
    private static String option(InetAddress host) {
        String text = AddressText.of(host);
        return host instanceof Inet4Address && host.isLoopbackAddress() && !text.equals("127.0.0.1")
                ? " --device " + text
                : "";
    }
}
