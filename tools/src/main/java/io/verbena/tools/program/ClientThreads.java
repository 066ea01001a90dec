package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The threads of a server, one for each connected client. An error of one client is printed as a line, and does not
/// end the others.
public final class ClientThreads {
    /// How long the threads may take to disconnect when the server is stopped.
    private static final Duration GOODBYE = Duration.ofSeconds(4);

    private final Output output;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    public ClientThreads(Output output) {
        this.output = output;
    }

    public void start(String client, Runnable service) {
        Thread thread = Thread.ofPlatform().name("client " + client).unstarted(() -> {
            try {
                service.run();
            } catch (RuntimeException e) {
                if (!Result.isInterrupt(e)) {
                    output.trouble(e.getMessage());
                }
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /// Runs a client's service. Its errors are thrown with the client's address in front.
    static void serveNamed(InetSocketAddress peer, Runnable service) {
        String client = AddressText.of(peer);
        try {
            service.run();
        } catch (RdmaException | ProgramException e) {
            boolean isNamed = Result.isInterrupt(e) || e.getMessage().startsWith("client ");
            throw isNamed ? e : new ProgramException("client " + client + ": " + e.getMessage(), e);
        }
    }

    /// Interrupts all threads, and waits a moment until they have printed their results.
    public void stop() {
        threads.forEach(Thread::interrupt);
        long start = System.nanoTime();
        for (Thread thread : threads) {
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
