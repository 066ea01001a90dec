package io.verbena.tools.program;

import java.net.InetSocketAddress;

/// The command that starts the server which a client looks for, for its hints.
public final class ServerCommand {
    private ServerCommand() {}

    /// `verbena ping`, or `verbena ping -p 4711` when the client was told another port than the usual one.
    public static String of(String command, InetSocketAddress server, int usualPort) {
        return server.getPort() == usualPort ? command : command + " -p " + server.getPort();
    }
}
