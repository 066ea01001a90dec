package io.verbena.tools.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// The plain socket programs that Verbena is compared with must be correct themselves.
class PlainTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void shouldTimeEveryTcpRoundTrip() throws Exception {
        try (var listener = TcpPingPong.listen(LOOPBACK)) {
            var echo = start(() -> {
                try (var server = TcpPingPong.accept(listener, 64, PATIENCE)) {
                    server.echo();
                }
                return null;
            });
            Histogram times = new Histogram(3);
            try (var client = TcpPingPong.connect((InetSocketAddress) listener.getLocalAddress(), 64, PATIENCE)) {
                client.run(100, PATIENCE.toNanos(), times);
            }
            echo.get(10, TimeUnit.SECONDS);
            assertEquals(100, times.getTotalCount());
        }
    }

    @Test
    void shouldDeliverEveryDatagramByteWhenTheLastOneIsShort() throws Exception {
        ByteBuffer source = ByteBuffer.allocateDirect(1_000_000);
        for (int i = 0; i < source.capacity(); i++) {
            source.put(i, (byte) (i * 31 >>> 8));
        }
        ByteBuffer target = ByteBuffer.allocateDirect(source.capacity());
        try (var sender = DatagramStream.open(LOOPBACK, PATIENCE);
                var receiver = DatagramStream.open(LOOPBACK, PATIENCE)) {
            sender.connect(LOOPBACK, receiver.port());
            receiver.connect(LOOPBACK, sender.port());
            sender.fitWindow(receiver.room());
            assertTrue(sender.window() <= DatagramStream.WINDOW);
            var taking = start(() -> {
                receiver.receive(target);
                return null;
            });
            sender.send(source);
            taking.get(10, TimeUnit.SECONDS);
        }
        assertEquals(-1, source.clear().mismatch(target.clear()));
    }

    @Test
    void shouldGiveUpWhenNobodyAnswers() throws Exception {
        try (var sender = DatagramStream.open(LOOPBACK, Duration.ofMillis(50));
                var silent = DatagramStream.open(LOOPBACK, PATIENCE)) {
            sender.connect(LOOPBACK, silent.port());
            var error = assertThrows(IllegalStateException.class, () -> sender.send(ByteBuffer.allocateDirect(10_000)));
            assertTrue(error.getMessage().contains("no progress"), error.getMessage());
        }
    }

    private static FutureTask<Void> start(Callable<Void> work) {
        var task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }
}
