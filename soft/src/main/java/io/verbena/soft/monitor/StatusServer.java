package io.verbena.soft.monitor;

import io.verbena.soft.os.NanoClock;
import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.StatusDirectory;
import io.verbena.soft.status.StatusEncoder;
import io.verbena.soft.status.StatusSocket;
import io.verbena.verbs.spi.ExitTasks;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/// Tells the status of this process to programs of its user that connect to its socket in the [StatusDirectory]. A
/// thread sleeps there until somebody connects, so nothing happens while nobody looks. It reads nothing from those that
/// connect. A process that cannot have such a socket works all the same.
public final class StatusServer {
    private static final Logger LOG = System.getLogger(StatusServer.class.getName());

    /// For a reader that does not read.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /// After a failure, as when the process has no descriptor left.
    private static final Duration ACCEPT_PAUSE = Duration.ofSeconds(1);

    private static final int BACKLOG = 16;

    private final Supplier<StatusDirectory> place;
    private final Supplier<ProcessStatus> source;
    private final NanoClock clock;
    private boolean started;

    /// @param place is asked by the thread: the directory may have a name that is none
    public StatusServer(Supplier<StatusDirectory> place, Supplier<ProcessStatus> source, NanoClock clock) {
        this.place = place;
        this.source = source;
        this.clock = clock;
    }

    /// Starts the thread, which ends with the process. Only the first call does something.
    public synchronized void start() {
        if (!started) {
            started = true;
            Thread.ofPlatform().name("Verbena status").daemon().start(this::run);
        }
    }

    private void run() {
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            StatusDirectory directory = place.get();
            directory.create();
            StatusSocket socket = directory.newSocket(
                    ProcessHandle.current().pid(), ThreadLocalRandom.current().nextInt());
            removeDead(directory);
            listener.bind(UnixDomainSocketAddress.of(socket.path()), BACKLOG);
            ExitTasks.add(ExitTasks.Step.DISCONNECT, () -> remove(socket));
            serve(listener, socket);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            LOG.log(Level.DEBUG, () -> "'verbena top' cannot see this process: " + e.getMessage(), e);
        }
    }

    /// Those that were killed did not remove their sockets.
    private static void removeDead(StatusDirectory directory) throws IOException {
        for (StatusSocket other : directory.sockets()) {
            try {
                other.removeIfDead();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, () -> "cannot look at " + other.path(), e);
            }
        }
    }

    private static void remove(StatusSocket socket) {
        try {
            Files.deleteIfExists(socket.path());
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "cannot remove " + socket.path(), e);
        }
    }

    private void serve(ServerSocketChannel listener, StatusSocket socket) throws IOException, InterruptedException {
        while (true) {
            SocketChannel connection = accept(listener::accept, ACCEPT_PAUSE);
            try (connection) {
                if (socket.isOfSameUser(connection)) {
                    send(connection, StatusEncoder.encode(source.get()));
                }
            } catch (IOException | RuntimeException | Error e) {
                LOG.log(Level.DEBUG, "a reader of the status got none", e);
            }
        }
    }

    /// Where connections come from.
    interface Acceptor {
        SocketChannel accept() throws IOException;
    }

    /// The next connection. A failure does not end the server: the process may have descriptors again soon.
    ///
    /// @throws ClosedChannelException when there will be no more
    static SocketChannel accept(Acceptor listener, Duration pause) throws IOException, InterruptedException {
        while (true) {
            try {
                return listener.accept();
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "cannot accept a reader of the status", e);
                Thread.sleep(pause);
            }
        }
    }

    private void send(SocketChannel connection, ByteBuffer bytes) throws IOException {
        long deadlineNs = clock.nowNs() + PATIENCE.toNanos();
        connection.configureBlocking(false);
        // The JDK's selector: a program may have another provider for its sockets.
        try (Selector selector = connection.provider().openSelector()) {
            connection.register(selector, SelectionKey.OP_WRITE);
            while (bytes.hasRemaining()) {
                if (connection.write(bytes) == 0) {
                    long leftMs = (deadlineNs - clock.nowNs()) / 1_000_000;
                    if (leftMs <= 0) {
                        throw new IOException("the reader does not read");
                    }
                    selector.select(leftMs);
                    selector.selectedKeys().clear();
                }
            }
        }
    }
}
