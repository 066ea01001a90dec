package io.verbena.tools.perf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Two connected sockets, and a proxy between them that counts the bytes in each direction.
final class CountingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
    private final Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
    private final Socket towardsClient = listener.accept();
    private final Socket server = new Socket(listener.getInetAddress(), listener.getLocalPort());
    private final Socket towardsServer = listener.accept();
    private final CompletableFuture<Long> fromClient = CompletableFuture.supplyAsync(
            () -> copy(towardsClient, towardsServer), Thread.ofPlatform().daemon()::start);
    private final CompletableFuture<Long> fromServer = CompletableFuture.supplyAsync(
            () -> copy(towardsServer, towardsClient), Thread.ofPlatform().daemon()::start);

    CountingProxy() throws IOException {}

    Socket client() {
        return client;
    }

    Socket server() {
        return server;
    }

    private static long copy(Socket from, Socket to) {
        long count = 0;
        byte[] some = new byte[4096];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                count += n;
                out.write(some, 0, n);
            }
        } catch (IOException e) {
            if (count == 0) {
                throw new UncheckedIOException(e);
            }
        }
        return count;
    }

    /// The bytes that the client and the server wrote, once both have closed.
    long[] counts() throws Exception {
        return new long[] {fromClient.get(10, TimeUnit.SECONDS), fromServer.get(10, TimeUnit.SECONDS)};
    }

    @Override
    public void close() throws IOException {
        listener.close();
        client.close();
        server.close();
        towardsClient.close();
        towardsServer.close();
    }
}
