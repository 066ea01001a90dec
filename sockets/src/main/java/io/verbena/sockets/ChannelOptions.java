package io.verbena.sockets;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/// The options of a channel of this module, part of which may be those of a channel of the JDK.
///
/// @param owner the channel
/// @param settings what is set, also for a connection that does not exist yet
/// @param own the options of this module
/// @param told supplies the channel of the JDK whose options are set as well, or null when there is none
/// @param asked the channel of the JDK that knows its options better than this module; it gives null when there is none
record ChannelOptions(
        NetworkChannel owner,
        SocketSettings settings,
        Set<SocketOption<?>> own,
        Supplier<? extends NetworkChannel> told,
        Supplier<? extends NetworkChannel> asked) {
    Set<SocketOption<?>> supported() {
        NetworkChannel jdk = asked.get();
        if (jdk == null) {
            return own;
        }
        Set<SocketOption<?>> all = new HashSet<>(own);
        all.addAll(jdk.supportedOptions());
        return all;
    }

    <T> void set(SocketOption<T> option, T value) throws IOException {
        requireSupported(option);
        NetworkChannel jdk = told.get();
        if (jdk != null && jdk.supportedOptions().contains(option)) {
            jdk.setOption(option, value);
        }
        if (own.contains(option)) {
            settings.set(option, value);
        }
    }

    <T> T get(SocketOption<T> option) throws IOException {
        requireSupported(option);
        NetworkChannel jdk = asked.get();
        return jdk != null && jdk.supportedOptions().contains(option) ? jdk.getOption(option) : settings.get(option);
    }

    private void requireSupported(SocketOption<?> option) throws ClosedChannelException {
        Objects.requireNonNull(option, "the option is null");
        if (!owner.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!supported().contains(option)) {
            throw new UnsupportedOperationException("option " + option.name() + " is not supported");
        }
    }
}
