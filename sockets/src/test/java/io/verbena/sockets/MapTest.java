package io.verbena.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/// Writes into memory that the peer has mapped.
class MapTest {
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
}
