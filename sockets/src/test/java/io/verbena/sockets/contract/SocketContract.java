package io.verbena.sockets.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Options, and the sockets of channels with their streams.
abstract class SocketContract extends ChannelContract {
    @Test
    void shouldKeepOptions() throws Exception {
        SocketChannel channel = open();
        List<SocketOption<Boolean>> switches = List.of(
                StandardSocketOptions.SO_KEEPALIVE,
                StandardSocketOptions.TCP_NODELAY,
                StandardSocketOptions.SO_REUSEADDR);
        for (SocketOption<Boolean> option : switches) {
            assertTrue(channel.supportedOptions().contains(option), option.name());
            channel.setOption(option, true);
            assertTrue(channel.getOption(option), option.name());
            channel.setOption(option, false);
            assertFalse(channel.getOption(option), option.name());
        }
        assertEquals(-1, channel.getOption(StandardSocketOptions.SO_LINGER));
        channel.setOption(StandardSocketOptions.SO_LINGER, 5);
        assertEquals(5, channel.getOption(StandardSocketOptions.SO_LINGER));
        channel.setOption(StandardSocketOptions.SO_SNDBUF, 64 * 1024);
        assertTrue(channel.getOption(StandardSocketOptions.SO_SNDBUF) >= 64 * 1024);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 64 * 1024);
        assertTrue(channel.getOption(StandardSocketOptions.SO_RCVBUF) >= 64 * 1024);
        assertTrue(channel.supportedOptions().contains(StandardSocketOptions.IP_TOS));
        assertThrows(
                UnsupportedOperationException.class,
                () -> channel.setOption(StandardSocketOptions.IP_MULTICAST_LOOP, true));
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.setOption(StandardSocketOptions.TCP_NODELAY, true));
    }

    @Test
    void shouldGiveOptionsOfTheServerToItsConnections() throws Exception {
        ServerSocketChannel server = opened(provider().openServerSocketChannel());
        server.setOption(StandardSocketOptions.SO_RCVBUF, 32 * 1024);
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        assertTrue(server.getOption(StandardSocketOptions.SO_REUSEADDR));
        server.bind(null);
        assertTrue(server.getLocalAddress() != null);
    }

    @Test
    void shouldKeepOptionsOfSockets() throws Exception {
        Socket socket = open().socket();
        socket.setTcpNoDelay(true);
        assertTrue(socket.getTcpNoDelay());
        socket.setKeepAlive(true);
        assertTrue(socket.getKeepAlive());
        socket.setReuseAddress(true);
        assertTrue(socket.getReuseAddress());
        assertEquals(-1, socket.getSoLinger());
        socket.setSoLinger(true, 7);
        assertEquals(7, socket.getSoLinger());
        socket.setSoLinger(false, 3);
        assertEquals(-1, socket.getSoLinger());
        socket.setTrafficClass(8);
        assertEquals(8, socket.getTrafficClass());
        socket.setSendBufferSize(64 * 1024);
        assertTrue(socket.getSendBufferSize() >= 64 * 1024);
        socket.setReceiveBufferSize(64 * 1024);
        assertTrue(socket.getReceiveBufferSize() >= 64 * 1024);
        assertFalse(socket.getOOBInline());
        socket.setOption(StandardSocketOptions.TCP_NODELAY, false);
        assertFalse(socket.getOption(StandardSocketOptions.TCP_NODELAY));
        assertEquals(socket.getChannel().supportedOptions(), socket.supportedOptions());
        assertThrows(IllegalArgumentException.class, () -> socket.setReceiveBufferSize(0));
        assertThrows(IllegalArgumentException.class, () -> socket.setSoTimeout(-1));
        socket.close();
        assertEquals(
                "Socket is closed",
                assertThrows(SocketException.class, () -> socket.setKeepAlive(true))
                        .getMessage());
        assertThrows(SocketException.class, socket::getSoTimeout);
    }

    @Test
    void shouldKeepOptionsOfServerSockets() throws Exception {
        ServerSocket server = opened(provider().openServerSocketChannel()).socket();
        server.setReuseAddress(true);
        assertTrue(server.getReuseAddress());
        server.setReceiveBufferSize(32 * 1024);
        assertTrue(server.getReceiveBufferSize() >= 32 * 1024);
        server.setSoTimeout(90);
        assertEquals(90, server.getSoTimeout());
        assertEquals("ServerSocket[unbound]", server.toString());
        assertEquals(-1, server.getLocalPort());
        assertNull(server.getInetAddress());
        server.bind(new InetSocketAddress(host(), 0));
        assertEquals(host(), server.getInetAddress());
        assertEquals(new InetSocketAddress(host(), server.getLocalPort()), server.getLocalSocketAddress());
        assertEquals("ServerSocket[addr=%s,localport=%d]".formatted(host(), server.getLocalPort()), server.toString());
        server.close();
        assertThrows(SocketException.class, () -> server.setReuseAddress(true));
    }

    @Test
    void shouldTellTheAddressesOfSockets() throws Exception {
        ServerSocketChannel server = listen();
        Socket client = open().socket();
        assertFalse(client.isBound());
        assertEquals(-1, client.getLocalPort());
        assertEquals(0, client.getPort());
        assertNull(client.getInetAddress());
        assertNull(client.getRemoteSocketAddress());
        assertNull(client.getLocalSocketAddress());
        assertTrue(client.getLocalAddress().isAnyLocalAddress());
        assertEquals("Socket[unconnected]", client.toString());
        client.connect(server.getLocalAddress());
        assertEquals(server.getLocalAddress(), client.getRemoteSocketAddress());
        assertEquals(client.getChannel().getLocalAddress(), client.getLocalSocketAddress());
        assertEquals(host(), client.getLocalAddress());
        int port = client.getLocalPort();
        assertEquals(
                "Socket[addr=%s,port=%d,localport=%d]".formatted(host(), client.getPort(), port), client.toString());
        client.close();
        assertEquals(port, client.getLocalPort());
        assertEquals(host(), client.getInetAddress());
        assertTrue(client.getLocalAddress().isAnyLocalAddress());
        assertTrue(client.isBound() && client.isClosed());
        assertFalse(client.getChannel().isConnected());
    }

    @Test
    void shouldRefuseWrongCallsOfSocketsAsIoProblems() throws Exception {
        Socket unknown = open().socket();
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        assertThrows(UnknownHostException.class, () -> unknown.connect(nowhere));
        assertTrue(unknown.isClosed());
        assertEquals(
                "Socket is closed",
                assertThrows(IOException.class, () -> unknown.setTcpNoDelay(true))
                        .getMessage());
        ServerSocketChannel server = listen();
        Socket client = open().socket();
        assertThrows(SocketException.class, client::getInputStream);
        assertThrows(SocketException.class, client::shutdownOutput);
        client.bind(new InetSocketAddress(host(), 0));
        assertThrows(SocketException.class, () -> client.bind(new InetSocketAddress(host(), 0)));
        client.connect(server.getLocalAddress());
        assertThrows(SocketException.class, () -> client.connect(server.getLocalAddress()));
        ServerSocket notBound = opened(provider().openServerSocketChannel()).socket();
        assertThrows(SocketException.class, notBound::accept);
        server.configureBlocking(false);
        assertThrows(IllegalBlockingModeException.class, () -> {
            server.accept();
            server.socket().accept();
        });
    }

    @Test
    void shouldTransferWithSmallBuffers() throws Exception {
        ServerSocketChannel server = opened(provider().openServerSocketChannel());
        server.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        server.bind(new InetSocketAddress(host(), 0));
        SocketChannel client = open();
        client.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
        client.connect(server.getLocalAddress());
        SocketChannel accepted = opened(server.accept());
        ByteBuffer sent = bytes(1_000_000);
        Future<?> writing = start(() -> {
            writeAll(client, sent.duplicate());
            return null;
        });
        assertEquals(-1, read(accepted, 1_000_000).mismatch(sent));
        get(writing);
    }

    @Test
    void shouldCarryBytesInStreamsOfSockets() throws Exception {
        ServerSocket server = opened(provider().openServerSocketChannel()).socket();
        server.bind(new InetSocketAddress(host(), 0));
        Socket client = open().socket();
        assertFalse(client.isConnected());
        client.connect(server.getLocalSocketAddress(), 5000);
        Socket accepted = opened(server.accept());
        assertEquals(client.getLocalPort(), accepted.getPort());
        assertEquals(client.getPort(), accepted.getLocalPort());
        assertEquals(host(), client.getInetAddress());
        assertTrue(client.isBound() && client.isConnected());
        assertSame(client, client.getChannel().socket());
        OutputStream out = client.getOutputStream();
        InputStream in = accepted.getInputStream();
        out.write(7);
        out.write(bytes(100_000).array(), 0, 10_000);
        assertEquals(7, in.read());
        assertEquals(ByteBuffer.wrap(in.readNBytes(10_000)), bytes(100_000).limit(10_000));
        client.shutdownOutput();
        assertEquals(-1, in.read());
        client.close();
        assertTrue(client.isClosed());
        assertThrows(SocketException.class, client::getInputStream);
    }

    @Test
    void shouldTimeOutWhenNothingComes() throws Exception {
        Pair pair = connect();
        Socket socket = pair.server().socket();
        socket.setSoTimeout(80);
        assertEquals(80, socket.getSoTimeout());
        InputStream in = socket.getInputStream();
        long startNs = System.nanoTime();
        assertThrows(SocketTimeoutException.class, in::read);
        assertTrue(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) >= 79);
        pair.client().write(bytes(3));
        assertEquals(3, in.readNBytes(3).length);
        assertThrows(SocketTimeoutException.class, in::read);
    }

    @Test
    void shouldTimeOutWhenNobodyConnects() throws Exception {
        ServerSocket server = opened(provider().openServerSocketChannel()).socket();
        server.bind(new InetSocketAddress(host(), 0));
        server.setSoTimeout(80);
        assertThrows(SocketTimeoutException.class, server::accept);
        SocketChannel client = open();
        client.connect(server.getLocalSocketAddress());
        opened(server.accept());
    }

    @Test
    void shouldRefuseStreamsOfChannelsThatDoNotBlock() throws Exception {
        Pair pair = connectNonBlocking();
        InputStream in = pair.client().socket().getInputStream();
        assertThrows(IllegalBlockingModeException.class, in::read);
    }

    @Test
    void shouldFailToBindTwice() throws Exception {
        ServerSocketChannel first = listen();
        ServerSocketChannel second = opened(provider().openServerSocketChannel());
        assertThrows(BindException.class, () -> second.bind(first.getLocalAddress()));
        assertNull(second.getLocalAddress());
        first.close();
        ServerSocketChannel third = opened(provider().openServerSocketChannel());
        third.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        third.bind(new InetSocketAddress(host(), 0));
    }

    @Test
    void shouldBindAClient() throws Exception {
        ServerSocketChannel server = listen();
        SocketChannel client = open();
        client.bind(new InetSocketAddress(host(), 0));
        int port = ((InetSocketAddress) client.getLocalAddress()).getPort();
        assertTrue(port > 0);
        client.connect(server.getLocalAddress());
        SocketChannel accepted = opened(server.accept());
        assertEquals(port, ((InetSocketAddress) accepted.getRemoteAddress()).getPort());
    }

    @Test
    void shouldResetThePeerWhenTheLingerTimeIsZero() throws Exception {
        Pair pair = connect();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        IOException problem =
                assertThrows(IOException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
        assertEquals("Connection reset", problem.getMessage());
    }

    @Test
    void shouldWakeAReaderWhenThePeerResets() throws Exception {
        Pair pair = connect();
        Future<IOException> read =
                start(() -> assertThrows(IOException.class, () -> pair.server().read(ByteBuffer.allocate(1))));
        awaitBlocked(read, pair.server());
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 0);
        pair.client().close();
        assertEquals("Connection reset", get(read).getMessage());
    }

    @Test
    void shouldLingerUntilThePeerHasAll() throws Exception {
        Pair pair = connect();
        pair.client().setOption(StandardSocketOptions.SO_LINGER, 10);
        Future<Long> drain = start(() -> drain(pair.server()));
        writeAll(pair.client(), bytes(300_000));
        pair.client().close();
        assertEquals(300_000, get(drain));
    }
}
