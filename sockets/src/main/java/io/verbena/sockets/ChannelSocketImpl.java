package io.verbena.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// The options and addresses of a channel, in the form in which the JDK's `Socket` and `ServerSocket` ask for them: so
/// their own getters and setters serve the sockets of this module, too. Whatever else sockets do goes to the channel.
final class ChannelSocketImpl extends SocketImpl {
    private static final Map<Integer, SocketOption<?>> OPTIONS = Map.of(
            SocketOptions.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY,
            SocketOptions.SO_LINGER, StandardSocketOptions.SO_LINGER,
            SocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE,
            SocketOptions.SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR,
            SocketOptions.SO_SNDBUF, StandardSocketOptions.SO_SNDBUF,
            SocketOptions.SO_RCVBUF, StandardSocketOptions.SO_RCVBUF,
            SocketOptions.IP_TOS, StandardSocketOptions.IP_TOS);

    private final NetworkChannel channel;
    private final Supplier<InetSocketAddress> here;
    private final Supplier<InetSocketAddress> there;
    private volatile int timeoutMs;

    /// @param here supplies the local address of a channel that is bound
    /// @param there supplies the address of the peer of a channel that is connected
    ChannelSocketImpl(NetworkChannel channel, Supplier<InetSocketAddress> here, Supplier<InetSocketAddress> there) {
        this.channel = channel;
        this.here = here;
        this.there = there;
    }

    // ---- for the sockets of this module ----

    int timeoutMs() {
        return timeoutMs;
    }

    /// A timeout in milliseconds as the time to wait; 0 is for ever.
    static long waitNs(int timeoutMs) {
        return timeoutMs == 0 ? RdmaSocketChannel.FOR_EVER_NS : TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    }

    interface Call<T> {
        T call() throws IOException;
    }

    /// What a call of a channel gives, with the exceptions of sockets.
    static <T> T call(Call<T> call) throws IOException {
        try {
            return call.call();
        } catch (NotYetBoundException e) {
            throw new SocketException("Socket is not bound yet", e);
        } catch (AlreadyBoundException e) {
            throw new SocketException("Already bound", e);
        } catch (AlreadyConnectedException e) {
            throw new SocketException("Already connected", e);
        } catch (UnsupportedAddressTypeException e) {
            throw new SocketException("Unsupported address type", e);
        } catch (UnresolvedAddressException e) {
            throw new SocketException("Unresolved address", e);
        }
    }

    // ---- for the JDK's sockets ----

    private static SocketOption<?> option(int id) throws SocketException {
        SocketOption<?> option = OPTIONS.get(id);
        if (option == null) {
            throw new SocketException("the socket option 0x%x is not supported".formatted(id));
        }
        return option;
    }

    @Override
    @SuppressWarnings("unchecked") // the JDK's sockets give values of the option's type
    public void setOption(int id, Object value) throws SocketException {
        if (id == SocketOptions.SO_TIMEOUT) {
            timeoutMs = (Integer) value;
            return;
        }
        boolean isLingerOff = id == SocketOptions.SO_LINGER && value instanceof Boolean;
        SocketOption<Object> option = (SocketOption<Object>) option(id);
        optionCall(() -> channel.setOption(option, isLingerOff ? -1 : value));
    }

    @Override
    public Object getOption(int id) throws SocketException {
        return switch (id) {
            case SocketOptions.SO_TIMEOUT -> timeoutMs;
            case SocketOptions.SO_OOBINLINE -> false;
            case SocketOptions.SO_BINDADDR ->
                optionCall(() -> ((InetSocketAddress) channel.getLocalAddress()).getAddress());
            default -> {
                SocketOption<?> option = option(id);
                yield optionCall(() -> channel.getOption(option));
            }
        };
    }

    private static <T> T optionCall(Call<T> call) throws SocketException {
        try {
            return call.call();
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw new SocketException(e instanceof ClosedChannelException ? "Socket is closed" : e.getMessage(), e);
        }
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    protected InetAddress getInetAddress() {
        return there.get().getAddress();
    }

    @Override
    protected int getPort() {
        return there.get().getPort();
    }

    @Override
    protected int getLocalPort() {
        return here.get().getPort();
    }

    @Override
    protected void create(boolean stream) {
        // the channel is there
    }

    @Override
    protected void close() throws IOException {
        channel.close();
    }

    // ---- what the sockets of this module do themselves ----

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("the socket uses its channel");
    }

    @Override
    protected void connect(String host, int port) {
        throw unsupported();
    }

    @Override
    protected void connect(InetAddress address, int port) {
        throw unsupported();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) {
        throw unsupported();
    }

    @Override
    protected void bind(InetAddress host, int port) {
        throw unsupported();
    }

    @Override
    protected void listen(int backlog) {
        throw unsupported();
    }

    @Override
    protected void accept(SocketImpl accepted) {
        throw unsupported();
    }

    @Override
    protected InputStream getInputStream() {
        throw unsupported();
    }

    @Override
    protected OutputStream getOutputStream() {
        throw unsupported();
    }

    @Override
    protected int available() {
        throw unsupported();
    }

    @Override
    protected void sendUrgentData(int data) {
        throw unsupported();
    }
}
