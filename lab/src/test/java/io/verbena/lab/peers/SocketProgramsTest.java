package io.verbena.lab.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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

/// Our halves of the C programs that use rsockets, with each other over TCP.
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
}
