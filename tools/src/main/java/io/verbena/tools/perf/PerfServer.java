package io.verbena.tools.perf;

import io.verbena.tools.program.Output;
import io.verbena.tools.program.ProgramException;
import io.verbena.tools.text.AddressText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Listens, and serves one client (`--once`) or all of them, each in a thread of its own, until stopped.
final class PerfServer {
    /// How long clients' threads may take to end when the server is stopped.
    private static final Duration GOODBYE = Duration.ofSeconds(2);

    private final InetSocketAddress address;
    private final Serving service;
    private final Output output;
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();

    PerfServer(InetSocketAddress address, Serving service) {
        this.address = address;
        this.service = service;
        this.output = service.output();
    }

    void run(boolean once) {
        try (ServerSocketChannel listener = listen()) {
            var local = (InetSocketAddress) listener.getLocalAddress();
            output.say("server listens on " + AddressText.of(local.getAddress()) + " port " + local.getPort());
            if (once) {
                service.serve(listener.accept().socket());
                return;
            }
            while (true) {
                start(listener.accept());
            }
        } catch (ClosedByInterruptException e) {
            throw new StoppedException();
        } catch (IOException e) {
            throw new ProgramException("the server cannot go on: " + e.getMessage(), e);
        } finally {
            stopServing();
        }
    }

    private ServerSocketChannel listen() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return listener.bind(address);
        } catch (IOException e) {
            listener.close();
            throw new ProgramException(
                    "cannot listen on " + AddressText.of(address.getAddress()) + " port " + address.getPort() + ": "
                            + e.getMessage() + "; -p takes another port, --device another address",
                    e);
        }
    }

    /// One client's trouble is a line, and does not end the others.
    private void start(SocketChannel client) {
        Thread thread = Thread.ofPlatform()
                .name("client " + client.socket().getRemoteSocketAddress())
                .unstarted(() -> {
                    try {
                        service.serve(client.socket());
                    } catch (StoppedException e) {
                        // the server ends
                    } catch (RuntimeException e) {
                        output.trouble(e.getMessage());
                    } finally {
                        serving.remove(Thread.currentThread());
                    }
                });
        serving.add(thread);
        thread.start();
    }

    private void stopServing() {
        serving.forEach(Thread::interrupt);
        long start = System.nanoTime();
        for (Thread thread : serving) {
            try {
                Duration left = GOODBYE.minusNanos(System.nanoTime() - start);
                thread.join(left.isPositive() ? left : Duration.ofMillis(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
