package io.verbena.sockets;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;

/// What the sockets of channels have in common.
final class SocketAdaptors {
    private SocketAdaptors() {}

    static <T> void set(NetworkChannel channel, SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    static <T> T get(NetworkChannel channel, SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    static SocketException socketException(IOException e) {
        if (e instanceof SocketException known) {
            return known;
        }
        return new SocketException(e instanceof ClosedChannelException ? "Socket is closed" : e.getMessage(), e);
    }
}
