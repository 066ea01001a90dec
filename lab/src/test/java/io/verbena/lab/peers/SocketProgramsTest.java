package io.verbena.lab.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.sockets.RdmaServerSocketChannel;
import io.verbena.sockets.RdmaSocketChannel;
import io.verbena.sockets.RdmaSockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our halves of the C programs that use rsockets, with each other.
class SocketProgramsTest {
    private static final long LIMIT_S = 30;

    @TempDir
    private Path folder;

    /// Throws when something is wrong.
    private interface Half {
        void run(Stream stream) throws IOException;
    }

    private static void run(boolean blocking, Half client, Half server) throws Exception {
        try (ServerSocketChannel listener =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            CompletableFuture<Void> served = new CompletableFuture<>();
            Thread.ofPlatform().daemon().start(() -> {
                try (Stream stream = new Stream(listener.accept(), blocking ? null : Selector.open())) {
                    server.run(stream);
                    served.complete(null);
                } catch (IOException | RuntimeException e) {
                    served.completeExceptionally(e);
                }
            });
            try (Stream stream =
                    new Stream(SocketChannel.open(listener.getLocalAddress()), blocking ? null : Selector.open())) {
                client.run(stream);
                served.get(LIMIT_S, TimeUnit.SECONDS);
                stream.readEnd();
            }
        }
    }

    @Test
    void shouldStreamWithBlockingCalls() throws Exception {
        run(
                true,
                stream -> new Rstream(stream).runClient(3000, 3, 5),
                stream -> new Rstream(stream).runServer(3000, 3, 5));
    }

    @Test
    void shouldStreamWithASelector() throws Exception {
        run(
                false,
                stream -> new Rstream(stream).runClient(1_000_000, 2, 2),
                stream -> new Rstream(stream).runServer(1_000_000, 2, 2));
    }

    @Test
    void shouldNoticeAWrongByte() throws Exception {
        run(
                true,
                stream -> {
                    stream.write(ByteBuffer.allocate(16));
                },
                stream -> assertThrows(IOException.class, () -> new Rstream(stream).runServer(1, 1, 1)));
    }

    @Test
    void shouldCopyAFile() throws Exception {
        Path from = folder.resolve("from");
        Path to = folder.resolve("to");
        byte[] content = new byte[3_000_001];
        new SplittableRandom(1).nextBytes(content);
        Files.write(from, content);
        run(
                true,
                stream -> new Rcopy(stream).runClient(from, to.toString()),
                stream -> assertEquals(to, new Rcopy(stream).runServer()));
        assertEquals(-1, Files.mismatch(from, to));
    }

    /// These need RDMA: a software device.
    @Test
    void shouldWriteToMappedMemory() throws Exception {
        try (RdmaServerSocketChannel listener = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET);
                RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
            listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
            client.connect(listener.getLocalAddress());
            RdmaSocketChannel accepted = (RdmaSocketChannel) listener.accept();
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (accepted) {
                    new Riostream(accepted).runServer(100_000, 3);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            new Riostream(client).runClient(100_000, 3);
            served.get(LIMIT_S, TimeUnit.SECONDS);
        }
    }
}
