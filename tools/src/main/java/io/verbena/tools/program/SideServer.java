package io.verbena.tools.program;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

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

    private final ProgramOptions options;
    private final Service service;
    private final ClientThreads clients;

    private SideServer(ProgramOptions options, Service service) {
        this.options = options;
        this.service = service;
        this.clients = new ClientThreads(options.output());
    }

    /// Listens on the address of the named device, else on all addresses.
    public static void serve(ProgramOptions options, int usualPort, Service service) {
        new SideServer(options, service).run(address(options, usualPort));
    }

    private static InetSocketAddress address(ProgramOptions options, int usualPort) {
        InetSocketAddress wanted = options.serverAddress(usualPort);
        // listens on IPv6 and IPv4
        return wanted.getAddress().isAnyLocalAddress() ? new InetSocketAddress(wanted.getPort()) : wanted;
    }

    private void run(InetSocketAddress address) {
        try (ServerSocketChannel listener = listen(address)) {
            InetSocketAddress local = (InetSocketAddress) listener.getLocalAddress();
            options.output().listens(local);
            if (options.once()) {
                serve(listener.accept());
                return;
            }
            while (true) {
                SocketChannel client = listener.accept();
                clients.start(String.valueOf(client.getRemoteAddress()), () -> serve(client));
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
    public static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return listener.bind(address);
        } catch (BindException e) {
            listener.close();
            throw new ProgramException(
                    "cannot listen on " + Result.text(address) + " (TCP): " + e.getMessage()
                            + "; -p takes another port, --device another address",
                    e);
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    private void serve(SocketChannel client) {
        try (SideChannel channel = new SideChannel(client, options.timeout())) {
            ClientThreads.serveNamed(channel.peer(), () -> service.serve(channel));
        } catch (IOException e) {
            throw new ProgramException("cannot take a client's connection: " + e.getMessage(), e);
        }
    }
}
