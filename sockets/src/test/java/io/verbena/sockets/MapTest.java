package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/// Writes into memory that the peer has mapped.
class MapTest {
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    @Test
    void shouldWriteToMemoryOfThePeer() throws Exception {
        try (Arena arena = Arena.ofShared();
                RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET);
                RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
            server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
            client.connect(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                MemorySegment memory = arena.allocate(200_000, 8);
                RdmaMap map = ((RdmaSocketChannel) accepted).map(memory, 1000);
                try {
                    accepted.write(ByteBuffer.wrap(new byte[] {1}));
                    client.read(ByteBuffer.allocate(1)); // the client knows of the map now
                    ByteBuffer bytes = ByteBuffer.allocate(150_000);
                    for (int i = 0; i < bytes.capacity(); i++) {
                        bytes.put(i, (byte) (i * 7));
                    }
                    assertEquals(150_000, client.write(bytes, 1100));
                    assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 99));
                    assertEquals(-1, memory.asSlice(100, 150_000).mismatch(MemorySegment.ofBuffer(bytes.clear())));
                    assertEquals(0, client.write(ByteBuffer.allocate(1), 999)); // no map there
                    assertEquals(100, client.write(ByteBuffer.allocate(500), 1000 + 200_000 - 100));
                } finally {
                    map.close();
                }
            }
        }
    }

    @Test
    void shouldWriteToAPeerThatClosesAsSoonAsItHasTheBytes() throws Exception {
        for (int round = 0; round < 300; round++) {
            try (Arena arena = Arena.ofShared();
                    RdmaServerSocketChannel server = RdmaSockets.openServerSocketChannel(StandardProtocolFamily.INET);
                    RdmaSocketChannel client = RdmaSockets.openSocketChannel(StandardProtocolFamily.INET)) {
                server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.78.2"), 0));
                client.connect(server.getLocalAddress());
                RdmaSocketChannel accepted = (RdmaSocketChannel) server.accept();
                MemorySegment memory = arena.allocate(1);
                accepted.map(memory, 0);
                accepted.write(ByteBuffer.wrap(new byte[] {1}));
                client.read(ByteBuffer.allocate(1)); // the client knows of the map now
                Thread closing = Thread.ofPlatform().start(() -> closeWhenWritten(accepted, memory));
                assertEquals(1, client.write(ByteBuffer.wrap(new byte[] {1}), 0), "round " + round);
                closing.join();
            }
        }
    }

    private static void closeWhenWritten(RdmaSocketChannel accepted, MemorySegment memory) {
        while ((byte) BYTE.getVolatile(memory, 0L) == 0) {
            Thread.onSpinWait();
        }
        try {
            accepted.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
