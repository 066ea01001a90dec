package io.verbena.sockets.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Connecting, reading, writing and ending, blocking and not.
abstract class StreamContract extends ChannelContract {
    @Test
    void shouldCarryBytesBothWaysWhenConnected() throws Exception {
        Pair pair = connect();
        ByteBuffer sent = bytes(1000);
        pair.client().write(sent.duplicate());
        assertEquals(sent, read(pair.server(), 1000));
        pair.server().write(sent.duplicate());
        assertEquals(sent, read(pair.client(), 1000));
    }

    @Test
    void shouldCarryManyBytesUnchangedWhenBothSidesSendAtOnce() throws Exception {
        Pair pair = connect();
        int length = 20 << 20;
        ByteBuffer sent = bytes(length);
        Future<?> client = start(() -> {
            writeAll(pair.client(), sent.duplicate());
            return null;
        });
        Future<?> server = start(() -> {
            writeAll(pair.server(), sent.duplicate());
            return null;
        });
        Future<ByteBuffer> atClient = start(() -> read(pair.client(), length));
        assertEquals(-1, read(pair.server(), length).mismatch(sent));
        assertEquals(-1, get(atClient).mismatch(sent));
        get(client);
        get(server);
    }

    @Test
    void shouldTakeDirectBuffersAndSlices() throws Exception {
        Pair pair = connect();
        ByteBuffer direct = ByteBuffer.allocateDirect(100_000);
        direct.put(bytes(100_000)).flip();
        Future<ByteBuffer> got = start(() -> {
            ByteBuffer to = ByteBuffer.allocateDirect(50_000);
            while (to.hasRemaining()) {
                pair.server().read(to);
            }
            return to.flip();
        });
        writeAll(pair.client(), direct.slice(10, 50_000));
        assertEquals(direct.slice(10, 50_000), get(got));
    }

    @Test
    void shouldGatherAndScatter() throws Exception {
        Pair pair = connect();
        ByteBuffer[] parts = {bytes(10), ByteBuffer.allocate(0), bytes(3000), bytes(7)};
        long n = pair.client().write(parts);
        assertEquals(3017, n);
        ByteBuffer[] to = {ByteBuffer.allocate(10), ByteBuffer.allocate(3000), ByteBuffer.allocate(7)};
        long total = 0;
        while (total < 3017) {
            total += pair.server().read(to);
        }
        assertEquals(bytes(10), to[0].flip());
        assertEquals(bytes(3000), to[1].flip());
        assertEquals(bytes(7), to[2].flip());
    }

    @Test
    void shouldReturnZeroWhenNonBlockingAndNothingIsThere() throws Exception {
        Pair pair = connectNonBlocking();
        assertEquals(0, pair.client().read(ByteBuffer.allocate(10)));
    }

    @Test
    void shouldTakeLessThanAllWhenNonBlockingAndThePeerDoesNotRead() throws Exception {
        Pair pair = connectNonBlocking();
        ByteBuffer from = ByteBuffer.allocate(1 << 20);
        long written = 0;
        int idle = 0;
        while (idle < 50 && written < 1L << 30) {
            int n = pair.client().write(from.clear());
            written += n;
            idle = n == 0 ? idle + 1 : 0;
            if (n == 0) {
                Thread.sleep(1);
            }
        }
        assertTrue(written > 0 && written < 1L << 30, "written: " + written);
        pair.server().configureBlocking(true);
        ByteBuffer to = ByteBuffer.allocate(1 << 20);
        long got = 0;
        while (got < written) {
            got += pair.server().read(to.clear());
        }
        assertEquals(written, got);
        assertTrue(pair.client().write(from.clear()) > 0);
    }

    // ---- connecting ----

    @Test
    void shouldRefuseWhenNobodyListens() throws Exception {
        ServerSocketChannel server = listen();
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        server.close();
        SocketChannel client = open();
        assertThrows(ConnectException.class, () -> client.connect(address));
        assertFalse(client.isOpen());
    }

    @Test
    void shouldTellFinishConnectWhenNobodyListens() throws Exception {
        ServerSocketChannel server = listen();
        InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
        server.close();
        SocketChannel client = open();
        client.configureBlocking(false);
        assertThrows(ConnectException.class, () -> {
            boolean done = client.connect(address);
            while (!done) {
                Thread.sleep(1);
                done = client.finishConnect();
            }
        });
        assertFalse(client.isOpen());
    }

    @Test
    void shouldConnectBeforeTheServerAccepts() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        assertTrue(client.connect(server.getLocalAddress()));
        client.write(bytes(100));
        SocketChannel accepted = opened(server.accept());
        assertEquals(bytes(100), read(accepted, 100));
    }

    @Test
    void shouldFinishANonBlockingConnect() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        client.configureBlocking(false);
        boolean done = client.connect(server.getLocalAddress());
        if (!done) {
            assertTrue(client.isConnectionPending());
            await(client::finishConnect, "finishConnect");
        }
        assertTrue(client.isConnected());
        assertFalse(client.isConnectionPending());
        SocketChannel accepted = opened(server.accept());
        accepted.write(bytes(10));
        assertEquals(bytes(10), read(client, 10));
    }

    @Test
    void shouldKnowTheAddressesOfBothSides() throws Exception {
        Pair pair = connect();
        assertEquals(pair.client().getLocalAddress(), pair.server().getRemoteAddress());
        assertEquals(pair.client().getRemoteAddress(), pair.server().getLocalAddress());
    }

    @Test
    void shouldRefuseWrongCalls() throws Exception {
        SocketChannel client = open();
        assertNull(client.getRemoteAddress());
        assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, () -> client.write(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, client::shutdownOutput);
        ServerSocketChannel server = opened(provider().openServerSocketChannel());
        assertThrows(NotYetBoundException.class, server::accept);
        Pair pair = connect();
        assertThrows(
                AlreadyConnectedException.class,
                () -> pair.client().connect(pair.server().getLocalAddress()));
        pair.client().close();
        assertThrows(ClosedChannelException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
        assertThrows(ClosedChannelException.class, () -> pair.client().write(ByteBuffer.allocate(1)));
        assertThrows(ClosedChannelException.class, () -> pair.client().getLocalAddress());
    }

    @Test
    void shouldAcceptNothingWhenNonBlockingAndNobodyConnects() throws Exception {
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        assertNull(server.accept());
        SocketChannel client = open();
        client.connect(server.getLocalAddress());
        SocketChannel[] accepted = new SocketChannel[1];
        await(() -> (accepted[0] = server.accept()) != null, "accept");
        opened(accepted[0]);
        assertTrue(accepted[0].isBlocking());
        assertNotNull(accepted[0].getRemoteAddress());
    }

    @Test
    void shouldAcceptManyConnections() throws Exception {
        ServerSocketChannel server = listen();
        for (int i = 0; i < 20; i++) {
            SocketChannel client = open();
            client.connect(server.getLocalAddress());
            client.write(bytes(i + 1));
            SocketChannel accepted = opened(server.accept());
            assertEquals(bytes(i + 1), read(accepted, i + 1));
        }
    }

    // ---- ending ----

    @Test
    void shouldDeliverAllBeforeTheEndWhenThePeerCloses() throws Exception {
        Pair pair = connect();
        Future<Long> got = start(() -> drain(pair.server()));
        for (int i = 0; i < 100; i++) {
            writeAll(pair.client(), bytes(10_000));
        }
        pair.client().close();
        assertEquals(1_000_000, get(got));
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldDeliverToALateReaderWhenThePeerHasClosed() throws Exception {
        Pair pair = connect();
        writeAll(pair.client(), bytes(5000));
        pair.client().close();
        Thread.sleep(50);
        assertEquals(bytes(5000), read(pair.server(), 5000));
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldGoOnTheOtherWayWhenOneSideIsShutDown() throws Exception {
        Pair pair = connect();
        pair.client().write(bytes(100));
        pair.client().shutdownOutput();
        assertEquals(bytes(100), read(pair.server(), 100));
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        assertThrows(ClosedChannelException.class, () -> pair.client().write(bytes(1)));
        writeAll(pair.server(), bytes(300_000).duplicate().limit(200));
        assertEquals(bytes(200), read(pair.client(), 200));
        pair.server().shutdownOutput();
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldReadNothingMoreWhenInputIsShutDown() throws Exception {
        Pair pair = connect();
        pair.server().shutdownInput();
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        pair.server().write(bytes(10));
        assertEquals(bytes(10), read(pair.client(), 10));
    }

    @Test
    void shouldFailToWriteWhenThePeerHasClosed() throws Exception {
        Pair pair = connect();
        pair.server().close();
        assertThrows(IOException.class, () -> {
            for (int i = 0; i < 1000; i++) {
                pair.client().write(bytes(1000));
                Thread.sleep(1);
            }
        });
    }

    @Test
    void shouldWakeAReaderWhenThePeerCloses() throws Exception {
        Pair pair = connect();
        Future<Integer> read = start(() -> pair.server().read(ByteBuffer.allocate(1)));
        awaitBlocked(read, pair.server());
        pair.client().close();
        assertEquals(-1, get(read));
    }

    @Test
    void shouldWakeAReaderWhenTheChannelIsClosed() throws Exception {
        Pair pair = connect();
        Future<Integer> read = start(() -> pair.server().read(ByteBuffer.allocate(1)));
        awaitBlocked(read, pair.server());
        pair.server().close();
        assertThrows(AsynchronousCloseException.class, () -> get(read));
    }

    @Test
    void shouldWakeAWriterWhenTheChannelIsClosed() throws Exception {
        Pair pair = connect();
        Future<?> write = start(() -> {
            while (true) {
                pair.client().write(ByteBuffer.allocate(1 << 20));
            }
        });
        awaitBlocked(write, pair.client());
        pair.client().close();
        assertThrows(ClosedChannelException.class, () -> get(write));
    }

    @Test
    void shouldWakeAnAccepterWhenTheChannelIsClosed() throws Exception {
        ServerSocketChannel server = listen();
        Future<SocketChannel> accept = start(server::accept);
        awaitBlocked(accept, server);
        server.close();
        assertThrows(AsynchronousCloseException.class, () -> get(accept));
    }

    @Test
    void shouldCloseTheChannelWhenAReaderIsInterrupted() throws Exception {
        Pair pair = connect();
        AtomicReference<Thread> reader = new AtomicReference<>();
        Future<Boolean> read = start(() -> {
            reader.set(Thread.currentThread());
            assertThrows(ClosedByInterruptException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
            return Thread.interrupted();
        });
        awaitBlocked(read, pair.server());
        reader.get().interrupt();
        assertTrue(get(read));
        assertFalse(pair.server().isOpen());
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldCloseTheChannelWhenAnInterruptedThreadReads() throws Exception {
        Pair pair = connect();
        Future<Boolean> read = start(() -> {
            Thread.currentThread().interrupt();
            assertThrows(ClosedByInterruptException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
            return Thread.interrupted();
        });
        assertTrue(get(read));
        assertFalse(pair.server().isOpen());
    }

    @Test
    void shouldServeVirtualThreads() throws Exception {
        Pair pair = connect();
        AtomicReference<Throwable> problem = new AtomicReference<>();
        Thread echo = Thread.startVirtualThread(() -> {
            try {
                ByteBuffer buffer = ByteBuffer.allocate(4096);
                while (pair.server().read(buffer.clear()) >= 0) {
                    writeAll(pair.server(), buffer.flip());
                }
            } catch (IOException e) {
                problem.set(e);
            }
        });
        for (int i = 0; i < 200; i++) {
            pair.client().write(bytes(100));
            assertEquals(bytes(100), read(pair.client(), 100));
        }
        pair.client().close();
        echo.join(20_000);
        assertFalse(echo.isAlive());
        assertNull(problem.get());
    }
}
