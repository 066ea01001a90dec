package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;

/// Listens with TCP, and serves one client (`--once`) or every client, each in a thread of its own, until stopped.
/// [ProgramServer] does the same with the connection manager.
public final class SideServer {
    /// The server's part of one connection.
    @FunctionalInterface
    public interface Service {
        /// Serves a client until the connection ends. The caller closes the channel, and puts the client's address in
        /// front of errors.
        void serve(SideChannel client);
    }

    private SideServer() {}

    /// Listens on the address of the named device, else on all addresses.
    public static void serve(ProgramOptions options, int usualPort, Service service) {
        serve(
                address(options, usualPort),
                options.once(),
                options.output(),
                client -> serve(client, options.timeout(), service));
    }

    private static InetSocketAddress address(ProgramOptions options, int usualPort) {
        InetSocketAddress wanted = options.serverAddress(usualPort);
        // listens on IPv6 and IPv4
        return wanted.getAddress().isAnyLocalAddress() ? new InetSocketAddress(wanted.getPort()) : wanted;
    }

    /// As [#serve(ProgramOptions, int, Service)], for services that take the client's socket itself.
    public static void serve(InetSocketAddress address, boolean once, Output output, Consumer<SocketChannel> service) {
        var clients = new ClientThreads(output);
        try (ServerSocketChannel listener = listen(address)) {
            output.listens((InetSocketAddress) listener.getLocalAddress());
            if (once) {
                service.accept(listener.accept());
                return;
            }
            while (true) {
                SocketChannel client = listener.accept();
                clients.start(String.valueOf(client.getRemoteAddress()), () -> service.accept(client));
            }
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new RdmaException("wait for clients", Errno.EINTR, "the thread was interrupted", e);
        } catch (IOException e) {
            throw new ProgramException("cannot wait for clients: " + e.getMessage(), e);
        } finally {
            clients.stop();
        }
    }

    /// Opens a listening socket. The error for an address that is not available says what to do.
    private static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return listener.bind(address);
        } catch (BindException e) {
            listener.close();
            throw new ProgramException(
                    "cannot listen on " + AddressText.of(address) + " (TCP): " + e.getMessage()
                            + "; -p takes another port, --device another address",
                    e);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    private static void serve(SocketChannel client, Duration timeout, Service service) {
        try (SideChannel channel = new SideChannel(client, timeout)) {
            ClientThreads.serveNamed(channel.peer(), () -> service.serve(channel));
        } catch (IOException e) {
            throw new ProgramException("cannot take a client's connection: " + e.getMessage(), e);
        }
    }
}
