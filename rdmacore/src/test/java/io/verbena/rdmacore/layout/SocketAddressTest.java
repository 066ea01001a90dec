package io.verbena.rdmacore.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SocketAddressTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(SocketAddress.SIZE, 8);

    @AfterEach
    void close() {
        arena.close();
    }

    private byte[] bytes(int length) {
        return memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldWriteIpv4AsCDoes() {
        memory.fill((byte) 0xEE);
        SocketAddress.put("test", memory.address(), new InetSocketAddress("10.77.0.1", 7471));
        assertArrayEquals(HexFormat.of().parseHex("02001d2f0a4d00010000000000000000"), bytes(16));
        assertEquals(new InetSocketAddress("10.77.0.1", 7471), SocketAddress.get(memory.address()));
    }

    @Test
    void shouldWriteIpv6AsCDoes() {
        SocketAddress.put("test", memory.address(), new InetSocketAddress(InetAddress.ofLiteral("fd77::2"), 65535));
        assertArrayEquals(
                HexFormat.of().parseHex("0a00ffff00000000fd77000000000000000000000000000200000000"), bytes(28));
        assertEquals(
                new InetSocketAddress(InetAddress.ofLiteral("fd77::2"), 65535), SocketAddress.get(memory.address()));
    }

    @Test
    void shouldKeepTheScopeOfLinkLocalAddresses() throws Exception {
        byte[] raw = InetAddress.ofLiteral("fe80::1").getAddress();
        SocketAddress.put("test", memory.address(), new InetSocketAddress(Inet6Address.getByAddress(null, raw, 3), 1));
        assertEquals(3, ((Inet6Address) SocketAddress.get(memory.address()).getAddress()).getScopeId());
    }

    @Test
    void shouldReadNothingFromAnEmptyOrUnknownAddress() {
        assertNull(SocketAddress.get(memory.address()));
        memory.set(ValueLayout.JAVA_SHORT, 0, (short) 27); // of InfiniBand
        assertNull(SocketAddress.get(memory.address()));
    }

    @Test
    void shouldRefuseNamesWithoutAddress() {
        RdmaException e = assertThrows(
                RdmaException.class,
                () -> SocketAddress.put(
                        "rdma_resolve_addr", memory.address(), InetSocketAddress.createUnresolved("nowhere", 1)));
        assertEquals(Errno.EINVAL, e.errno());
    }
}
