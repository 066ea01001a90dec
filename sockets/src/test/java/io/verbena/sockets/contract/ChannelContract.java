package io.verbena.sockets.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;

/// What the contracts of channels share. A contract holds for the provider of the JDK and for ours: what TCP does is
/// right.
abstract class ChannelContract {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    static final int LIMIT_SECONDS = 20;

    private final ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("contract-", 0).factory());

    /// The provider under test.
    abstract SelectorProvider provider();

    /// The address of servers.
    InetAddress host() {
        return LOOPBACK;
    }

    /// Two ends of a connection.
    record Pair(SocketChannel client, SocketChannel server) {}

    @AfterEach
    final void closeAll() throws Exception {
        threads.shutdownNow();
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    final <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    final SocketChannel open() throws IOException {
        return opened(provider().openSocketChannel());
    }

    final ServerSocketChannel listen() throws IOException {
        return opened(provider().openServerSocketChannel()).bind(new InetSocketAddress(host(), 0));
    }

    final Pair connect() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        client.connect(server.getLocalAddress());
        SocketChannel accepted = opened(server.accept());
        server.close();
        return new Pair(client, accepted);
    }

    final Pair connectNonBlocking() throws Exception {
        Pair pair = connect();
        pair.client.configureBlocking(false);
        pair.server.configureBlocking(false);
        return pair;
    }

    final <T> Future<T> start(Callable<T> task) {
        return threads.submit(task);
    }

    static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        } catch (TimeoutException e) {
            throw new AssertionError("it did not end within %d s".formatted(LIMIT_SECONDS), e);
        }
    }

    static ByteBuffer bytes(int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            buffer.put((byte) (i * 31 + (i >> 8)));
        }
        return buffer.flip();
    }

    static ByteBuffer read(SocketChannel from, int length) throws IOException {
        ByteBuffer to = ByteBuffer.allocate(length);
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (to.hasRemaining()) {
            int n = from.read(to);
            if (n < 0) {
                throw new AssertionError("the stream ended after %d of %d bytes".formatted(to.position(), length));
            }
            if (n == 0) {
                if (System.nanoTime() - untilNs > 0) {
                    throw new AssertionError("%d of %d bytes came".formatted(to.position(), length));
                }
                Thread.onSpinWait();
            }
        }
        return to.flip();
    }

    static void writeAll(SocketChannel to, ByteBuffer from) throws IOException {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (from.hasRemaining()) {
            if (to.write(from) == 0 && System.nanoTime() - untilNs > 0) {
                throw new AssertionError("%d bytes were not taken".formatted(from.remaining()));
            }
        }
    }

    /// Reads until the end, and returns how many bytes came.
    static long drain(SocketChannel from) throws IOException {
        ByteBuffer to = ByteBuffer.allocate(64 * 1024);
        long total = 0;
        for (int n = from.read(to); n >= 0; n = from.read(to.clear())) {
            total += n;
        }
        return total;
    }

    static void await(Condition condition, String what) throws Exception {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.holds()) {
            if (System.nanoTime() - untilNs > 0) {
                throw new AssertionError("not within %d s: %s".formatted(LIMIT_SECONDS, what));
            }
            Thread.sleep(1);
        }
    }

    interface Condition {
        boolean holds() throws Exception;
    }

    /// Waits until a thread of a future is likely to be blocked in a call.
    static void awaitBlocked(Future<?> blocked, SelectableChannel channel) throws InterruptedException {
        for (int i = 0; i < 20 && !blocked.isDone() && channel.isOpen(); i++) {
            Thread.sleep(5);
        }
    }
}
