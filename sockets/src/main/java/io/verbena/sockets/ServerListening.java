package io.verbena.sockets;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// What is behind an [RdmaServerSocketChannel]: listeners over RDMA, one for each address, a channel of the JDK, or
/// both.
final class ServerListening extends SelectableSource<ServerSocketChannel> {
    /// How often another port is tried when that of TCP is taken in the port space of RDMA.
    private static final int PORT_TRIES = 16;

    private final SocketSettings settings;
    private final AcceptQueue queue = new AcceptQueue();
    private final List<RdmaListener> listeners = new CopyOnWriteArrayList<>();
    private volatile InetSocketAddress bound;

    ServerListening(SocketSettings settings) {
        this.settings = settings;
        queue.addListener(keys());
    }

    AcceptQueue queue() {
        return queue;
    }

    InetSocketAddress bound() {
        return bound;
    }

    boolean hasRdma() {
        return !listeners.isEmpty();
    }

    // ---- binding ----

    void bind(InetSocketAddress address, int backlog, Transport transport, boolean ipv4Only) throws IOException {
        queue.backlog(backlog);
        if (transport == Transport.RDMA) {
            bound = bindRdma(address, backlog, ipv4Only);
            return;
        }
        for (int tries = 1; ; tries++) {
            bindTcp(address, backlog);
            if (transport == Transport.TCP) {
                return;
            }
            try {
                bindRdma(new InetSocketAddress(address.getAddress(), bound.getPort()), backlog, ipv4Only);
                return;
            } catch (IOException e) {
                if (address.getPort() != 0 || tries >= PORT_TRIES) {
                    SocketEvents.fellBack(bound, "not served by RDMA: " + e.getMessage());
                    return;
                }
                tcp().close();
                tcp(null);
                bound = null;
            }
        }
    }

    private void bindTcp(InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel opened = JdkProvider.get().openServerSocketChannel();
        try {
            settings.applyTo(opened);
            opened.bind(address, backlog);
            opened.configureBlocking(false);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        tcp(opened);
        bound = (InetSocketAddress) opened.getLocalAddress();
    }

    /// The any-address is served at each address that has a device.
    private InetSocketAddress bindRdma(InetSocketAddress address, int backlog, boolean ipv4Only) throws IOException {
        if (!address.getAddress().isAnyLocalAddress()) {
            return listen(address, backlog);
        }
        int port = address.getPort();
        IOException problem = null;
        for (InetAddress local : LocalAddresses.all(ipv4Only)) {
            try {
                port = listen(new InetSocketAddress(local, port), backlog).getPort();
            } catch (IOException e) {
                problem = problem == null ? e : problem;
                if (e.getCause() instanceof RdmaException cause && cause.errno() == Errno.EADDRINUSE) {
                    closeListeners();
                    throw e;
                }
                SocketEvents.trouble("listen at " + local, e);
            }
        }
        if (listeners.isEmpty()) {
            throw problem == null ? new IOException("this host has no address") : problem;
        }
        return new InetSocketAddress(address.getAddress(), port);
    }

    private InetSocketAddress listen(InetSocketAddress address, int backlog) throws IOException {
        Hub hub = ChannelAddresses.hub(address);
        try {
            RdmaListener listener = new RdmaListener(hub, settings, address, backlog, queue);
            listeners.add(listener);
            return listener.localAddress();
        } catch (RdmaException e) {
            throw ChannelAddresses.bindFailure(e);
        }
    }

    private void closeListeners() {
        listeners.forEach(RdmaListener::close);
        listeners.clear();
    }

    void close() throws IOException {
        List<RdmaListener> open = new ArrayList<>(listeners);
        listeners.clear();
        open.forEach(RdmaListener::close);
        queue.close();
        ServerSocketChannel over = tcp();
        if (over != null) {
            over.close();
        }
    }

    // ---- for selectors ----

    @Override
    int rdmaReadyOps() {
        return queue.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
    }

    @Override
    List<Hub> hubs() {
        return listeners.stream().map(RdmaListener::hub).distinct().toList();
    }
}
