package io.verbena.soft.status;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.net.ExtendedSocketOptions;

/// The socket of a process in the [StatusDirectory].
///
/// @param pid the number of the process, as it knows it itself
public record StatusSocket(Path path, long pid) {
    private static final Pattern NAME = Pattern.compile("(\\d{1,10})-\\p{XDigit}{8}");

    /// Linux counts the start of a process from that of the system, which it tells in whole seconds.
    private static final Duration START_PRECISION = Duration.ofSeconds(2);

    static StatusSocket of(Path directory, long pid, int random) {
        return new StatusSocket(directory.resolve(pid + "-" + HexFormat.of().toHexDigits(random)), pid);
    }

    static Optional<StatusSocket> parse(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Optional.of(new StatusSocket(file, Long.parseLong(name.group(1)))) : Optional.empty();
    }

    /// Whether the process at the other end of a connection belongs to the user of the directory.
    public boolean isOfSameUser(SocketChannel connection) throws IOException {
        return connection.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(Files.getOwner(path.getParent()));
    }

    /// Asks the process for its status.
    ///
    /// @param clock in nanoseconds
    /// @param patience how long it may take: a process that is stopped never answers
    /// @throws ConnectException when nobody listens any more
    /// @throws IOException says what is wrong
    public ProcessStatus read(Duration patience, LongSupplier clock) throws IOException {
        long deadlineNs = clock.getAsLong() + patience.toNanos();
        // The JDK's selector: a program may have another provider for its sockets.
        try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = connection.provider().openSelector()) {
            connection.configureBlocking(false);
            // Connections within a host are made at once, or not at all: a process that is stopped has a full queue.
            if (!connection.connect(UnixDomainSocketAddress.of(path))) {
                throw new IOException("it does not answer");
            }
            if (!isOfSameUser(connection)) {
                throw new IOException("it belongs to another user");
            }
            connection.register(selector, SelectionKey.OP_READ);
            ByteBuffer header = ByteBuffer.allocate(StatusFormat.HEADER_BYTES);
            fill(header, connection, selector, deadlineNs, clock);
            ByteBuffer body = ByteBuffer.allocate(StatusDecoder.bodyBytes(header));
            fill(body, connection, selector, deadlineNs, clock);
            return StatusDecoder.decode(body);
        }
    }

    private static void fill(
            ByteBuffer buffer, SocketChannel connection, Selector selector, long deadlineNs, LongSupplier clock)
            throws IOException {
        while (buffer.hasRemaining()) {
            int bytes = connection.read(buffer);
            if (bytes < 0) {
                throw new EOFException("it ended in the middle of its answer");
            }
            if (bytes == 0) {
                long leftMs = (deadlineNs - clock.getAsLong()) / 1_000_000;
                if (leftMs <= 0) {
                    throw new IOException("it does not answer");
                }
                selector.select(leftMs);
                selector.selectedKeys().clear();
            }
        }
        buffer.flip();
    }

    /// Removes the socket if its process was killed, which leaves it behind: nobody listens, and there is no such
    /// process, or another one has its number now. A process between making its socket and listening is still alive.
    public boolean removeIfDead() throws IOException {
        if (isAlive() && !isOlderThanProcess()) {
            return false;
        }
        try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            connection.configureBlocking(false);
            connection.connect(UnixDomainSocketAddress.of(path));
            return false; // a process of another container, with other process numbers
        } catch (ConnectException e) {
            return Files.deleteIfExists(path);
        }
    }

    /// Whether the process with that number was started after the socket was made.
    private boolean isOlderThanProcess() throws IOException {
        Optional<Instant> started =
                ProcessHandle.of(pid).flatMap(process -> process.info().startInstant());
        try {
            Instant made =
                    Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
            return started.isPresent() && started.get().isAfter(made.plus(START_PRECISION));
        } catch (NoSuchFileException e) {
            return false; // it was removed meanwhile
        }
    }

    /// Whether there is a process with that number.
    public boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
