package io.verbena.sockets.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Selectors: readiness, wake-ups, keys and their ends.
abstract class SelectorContract extends ChannelContract {
    private Selector selector() throws Exception {
        return opened(provider().openSelector());
    }

    private static long millisSince(long startNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    @Test
    void shouldSelectAcceptConnectReadAndWrite() throws Exception {
        Selector selector = selector();
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        SelectionKey acceptKey = server.register(selector, SelectionKey.OP_ACCEPT);
        assertEquals(0, selector.selectNow());
        SocketChannel client = open();
        client.configureBlocking(false);
        SelectionKey clientKey = client.register(selector, SelectionKey.OP_CONNECT);
        if (client.connect(server.getLocalAddress())) {
            clientKey.interestOps(SelectionKey.OP_READ);
        }
        SocketChannel accepted = null;
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while ((accepted == null || !client.isConnected()) && System.nanoTime() - untilNs < 0) {
            selector.select(1000);
            if (selector.selectedKeys().remove(acceptKey)) {
                assertTrue(acceptKey.isAcceptable());
                accepted = opened(server.accept());
            }
            if (selector.selectedKeys().remove(clientKey) && !client.isConnected()) {
                assertTrue(clientKey.isConnectable());
                assertTrue(client.finishConnect());
                clientKey.interestOps(SelectionKey.OP_READ);
            }
        }
        assertNotNull(accepted);
        accepted.write(bytes(100));
        assertEquals(1, selector.select(10_000));
        assertTrue(clientKey.isReadable());
        assertEquals(bytes(100), read(client, 100));
        selector.selectedKeys().clear();
        assertEquals(0, selector.selectNow());
        clientKey.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertEquals(1, selector.selectNow());
        assertEquals(SelectionKey.OP_WRITE, clientKey.readyOps());
    }

    @Test
    void shouldSelectConnectWhenNobodyListens() throws Exception {
        ServerSocketChannel server = listen();
        SocketAddress address = server.getLocalAddress();
        server.close();
        Selector selector = selector();
        SocketChannel client = open();
        client.configureBlocking(false);
        assertThrows(ConnectException.class, () -> {
            if (!client.connect(address)) {
                client.register(selector, SelectionKey.OP_CONNECT);
                assertEquals(1, selector.select(10_000));
                client.finishConnect();
            }
        });
    }

    @Test
    void shouldKeepOperationsThatSeveralThreadsChangeAtOnce() throws Exception {
        SelectionKey key = connectNonBlocking().client().register(selector(), 0);
        CyclicBarrier both = new CyclicBarrier(2);
        Future<?> reads = start(() -> changeInterest(both, key, SelectionKey.OP_READ));
        Future<?> writes = start(() -> changeInterest(both, key, SelectionKey.OP_WRITE));
        get(reads);
        get(writes);
        assertEquals(0, key.interestOps());
    }

    private static Object changeInterest(CyclicBarrier both, SelectionKey key, int operation) throws Exception {
        both.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        for (int i = 0; i < 300_000; i++) {
            key.interestOpsOr(operation);
            assertEquals(operation, key.interestOps() & operation);
            key.interestOpsAnd(~operation);
            assertEquals(0, key.interestOps() & operation);
        }
        return null;
    }

    @Test
    void shouldSelectForOperationsThatCameWhileAChannelWasRegistered() throws Exception {
        Selector selector = selector();
        AtomicBoolean isDone = new AtomicBoolean();
        Future<?> selecting = start(() -> {
            while (!isDone.get()) {
                selector.select(LIMIT_SECONDS * 1000L);
                selector.selectedKeys().removeIf(key -> {
                    key.interestOps(0);
                    return ((AtomicBoolean) key.attachment()).compareAndSet(false, true);
                });
            }
            return null;
        });
        for (int i = 0; i < 300; i++) {
            Pipe pipe = provider().openPipe();
            try (Pipe.SinkChannel sink = pipe.sink();
                    Pipe.SourceChannel _ = pipe.source()) {
                sink.configureBlocking(false);
                AtomicBoolean isSelected = new AtomicBoolean();
                SelectionKey key = sink.register(selector, 0, isSelected);
                key.interestOps(SelectionKey.OP_WRITE);
                selector.wakeup();
                await(isSelected::get, "the channel is writable, in round " + i);
            }
        }
        isDone.set(true);
        selector.wakeup();
        get(selecting);
    }

    @Test
    void shouldReturnAfterTheTimeoutAndNotBefore() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(150));
        long tookMs = millisSince(startNs);
        assertTrue(tookMs >= 149 && tookMs < 5000, "it took %d ms".formatted(tookMs));
    }

    @Test
    void shouldReturnAtOnceWhenWokenBefore() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        selector.wakeup();
        selector.wakeup();
        assertEquals(0, selector.select());
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(100));
        assertTrue(millisSince(startNs) >= 99);
    }

    @Test
    void shouldForgetAWakeUpThatSelectNowHasSeen() throws Exception {
        Selector selector = selector();
        selector.wakeup();
        selector.selectNow();
        long startNs = System.nanoTime();
        assertEquals(0, selector.select(100));
        assertTrue(millisSince(startNs) >= 99);
    }

    @Test
    void shouldWakeASleepingSelector() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        pair.client().register(selector, SelectionKey.OP_READ);
        for (int i = 0; i < 20; i++) {
            Future<Integer> select = start(selector::select);
            Thread.sleep(i);
            selector.wakeup();
            assertEquals(0, get(select));
        }
    }

    @Test
    void shouldTakeManyWakeUpsAsOne() throws Exception {
        Selector selector = selector();
        for (int i = 0; i < 10_000; i++) {
            selector.wakeup();
        }
        assertEquals(0, selector.select());
        Pair pair = connectNonBlocking();
        pair.server().register(selector, SelectionKey.OP_READ);
        Future<Integer> selected = start(selector::select);
        awaitBlocked(selected, pair.server());
        pair.client().write(bytes(1));
        assertEquals(1, get(selected));
    }

    @Test
    void shouldNotWakeForWhatIsOfNoInterest() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        Pair other = connect();
        pair.server().register(selector, SelectionKey.OP_READ);
        Future<Integer> selected = start(selector::select);
        awaitBlocked(selected, pair.server());
        for (int i = 0; i < 200; i++) {
            other.client().write(bytes(1000));
            assertEquals(bytes(1000), read(other.server(), 1000));
        }
        // What the selecting side writes, and the peer reads, makes nothing readable.
        pair.server().write(bytes(1000));
        assertEquals(bytes(1000), read(pair.client(), 1000));
        assertFalse(selected.isDone());
        pair.client().write(bytes(1));
        assertEquals(1, get(selected));
    }

    @Test
    void shouldSelectWhenDataComesWhileItSleeps() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        for (int i = 0; i < 20; i++) {
            Future<Integer> select = start(() -> selector.select(10_000));
            Thread.sleep(i);
            pair.server().write(bytes(10));
            assertEquals(1, get(select));
            assertTrue(selector.selectedKeys().remove(key));
            assertEquals(bytes(10), read(pair.client(), 10));
        }
    }

    @Test
    void shouldReturnWhenTheThreadIsInterrupted() throws Exception {
        Selector selector = selector();
        Future<Boolean> select = start(() -> {
            Thread.currentThread().interrupt();
            selector.select();
            return Thread.interrupted();
        });
        assertTrue(get(select));
        assertTrue(selector.isOpen());
    }

    @Test
    void shouldEndASelectionWhenTheSelectorIsClosed() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        Future<Integer> select = start(selector::select);
        Thread.sleep(20);
        selector.close();
        assertEquals(0, get(select));
        assertFalse(key.isValid());
        assertTrue(pair.client().isOpen());
        assertThrows(ClosedSelectorException.class, selector::selectNow);
        assertFalse(pair.client().isRegistered());
    }

    @Test
    void shouldKeepAReadyKeySelectedUntilItIsRead() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        pair.server().write(bytes(10));
        assertEquals(1, selector.select(10_000));
        assertEquals(0, selector.select(10_000)); // still selected, nothing new
        selector.selectedKeys().clear();
        assertEquals(1, selector.select(10_000)); // still ready
        assertEquals(bytes(10), read(pair.client(), 10));
        selector.selectedKeys().clear();
        assertEquals(0, selector.selectNow());
        assertTrue(key.isValid());
    }

    @Test
    void shouldSelectReadWhenThePeerCloses() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        pair.server().close();
        assertEquals(1, selector.select(10_000));
        assertTrue(key.isReadable());
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
    }

    @Test
    void shouldSelectWriteAgainWhenThePeerReads() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        int idle = 0;
        while (idle < 50) {
            int n = pair.client().write(ByteBuffer.allocate(100_000));
            idle = n == 0 ? idle + 1 : 0;
            if (n == 0) {
                Thread.sleep(1);
            }
        }
        pair.client().register(selector, SelectionKey.OP_WRITE);
        assertEquals(0, selector.selectNow());
        Future<Long> drain = start(() -> {
            ByteBuffer to = ByteBuffer.allocate(1 << 20);
            long total = 0;
            for (int n = pair.server().read(to); n >= 0; n = pair.server().read(to.clear())) {
                total += n;
            }
            return total;
        });
        assertEquals(1, selector.select(10_000));
        pair.client().close();
        assertTrue(get(drain) > 0);
    }

    @Test
    void shouldCancelKeysAndTakeTheChannelAgain() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ);
        assertThrows(IllegalBlockingModeException.class, () -> pair.client().configureBlocking(true));
        key.cancel();
        assertFalse(key.isValid());
        assertThrows(CancelledKeyException.class, key::interestOps);
        pair.client().configureBlocking(true);
        pair.server().write(bytes(5));
        assertEquals(bytes(5), read(pair.client(), 5));
        pair.client().configureBlocking(false);
        selector.selectNow();
        assertTrue(selector.keys().isEmpty());
        assertNull(pair.client().keyFor(selector));
        SelectionKey again = pair.client().register(selector, SelectionKey.OP_READ);
        pair.server().write(bytes(5));
        assertEquals(1, selector.select(10_000));
        assertTrue(again.isReadable());
    }

    @Test
    void shouldForgetAChannelThatIsClosed() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        SelectionKey key = pair.client().register(selector, SelectionKey.OP_READ, "mine");
        assertEquals("mine", key.attachment());
        pair.client().close();
        assertFalse(key.isValid());
        assertEquals(0, selector.selectNow());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void shouldSelectAKeyThatIsRegisteredWhileItSleeps() throws Exception {
        Selector selector = selector();
        Pair first = connectNonBlocking();
        first.client().register(selector, SelectionKey.OP_READ);
        Future<Integer> select = start(() -> selector.select(10_000));
        Thread.sleep(20);
        Pair second = connectNonBlocking();
        second.server().write(bytes(1));
        SelectionKey key = second.client().register(selector, SelectionKey.OP_READ);
        selector.wakeup();
        int n = get(select);
        assertEquals(1, n == 0 ? selector.select(10_000) : n);
        assertTrue(selector.selectedKeys().contains(key));
    }

    @Test
    void shouldSelectChannelsOfAllKindsTogether() throws Exception {
        Selector selector = selector();
        Pair pair = connectNonBlocking();
        Pipe pipe = provider().openPipe();
        opened(pipe.source()).configureBlocking(false);
        opened(pipe.sink());
        DatagramChannel datagrams = opened(provider().openDatagramChannel());
        datagrams.bind(new InetSocketAddress(host(), 0)).configureBlocking(false);
        SelectionKey streamKey = pair.client().register(selector, SelectionKey.OP_READ);
        SelectionKey pipeKey = pipe.source().register(selector, SelectionKey.OP_READ);
        SelectionKey datagramKey = datagrams.register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        for (int i = 0; i < 5; i++) {
            int wait = i * 4;
            Future<Integer> select = start(() -> selector.select(10_000));
            Thread.sleep(wait);
            pair.server().write(bytes(10));
            assertEquals(1, get(select));
            assertTrue(selector.selectedKeys().remove(streamKey));
            read(pair.client(), 10);

            select = start(() -> selector.select(10_000));
            Thread.sleep(wait);
            pipe.sink().write(bytes(3));
            assertEquals(1, get(select));
            assertTrue(selector.selectedKeys().remove(pipeKey));
            assertEquals(3, pipe.source().read(ByteBuffer.allocate(10)));

            select = start(() -> selector.select(10_000));
            Thread.sleep(wait);
            datagrams.send(bytes(4), datagrams.getLocalAddress());
            assertEquals(1, get(select));
            assertTrue(selector.selectedKeys().remove(datagramKey));
            assertNotNull(datagrams.receive(ByteBuffer.allocate(10)));
        }
        assertEquals(0, selector.select(50));
        Future<Integer> select = start(() -> selector.select(10_000));
        Thread.sleep(20);
        selector.wakeup();
        assertEquals(0, get(select));
    }

    @Test
    void shouldEchoForManyClientsWithOneSelector() throws Exception {
        long seed = Long.getLong("verbena.test.seed", System.nanoTime());
        ServerSocketChannel server = listen();
        server.configureBlocking(false);
        Selector selector = selector();
        server.register(selector, SelectionKey.OP_ACCEPT);
        AtomicBoolean isOver = new AtomicBoolean();
        Future<?> serving = start(() -> EchoServer.serve(selector, server, isOver));
        Future<?>[] clients = new Future<?>[4];
        for (int c = 0; c < clients.length; c++) {
            Random random = new Random(seed + c);
            clients[c] = start(() -> {
                for (int connection = 0; connection < 5; connection++) {
                    exchange(server.getLocalAddress(), random);
                }
                return null;
            });
        }
        try {
            for (Future<?> client : clients) {
                get(client);
            }
        } catch (Exception | AssertionError e) {
            throw new AssertionError("-Dverbena.test.seed=" + seed, e);
        }
        isOver.set(true);
        selector.wakeup();
        get(serving);
        selector.close();
        assertThrows(ClosedSelectorException.class, selector::select);
    }

    private void exchange(SocketAddress address, Random random) throws Exception {
        try (SocketChannel client = provider().openSocketChannel()) {
            client.connect(address);
            for (int i = 0; i < 40; i++) {
                ByteBuffer sent = bytes(1 + random.nextInt(random.nextInt(10) == 0 ? 200_000 : 3000));
                Future<?> writing = start(() -> {
                    writeAll(client, sent.duplicate());
                    return null;
                });
                assertEquals(-1, read(client, sent.remaining()).mismatch(sent));
                get(writing);
            }
        }
    }
}
