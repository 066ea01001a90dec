package io.verbena.tools.program;

import io.verbena.verbs.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The threads of a server, one for each client it has at the moment. One client's trouble is a line, and does not end
/// the others.
public final class ClientThreads {
    /// How long they may take to say good-bye when the server is stopped.
    private static final Duration GOODBYE = Duration.ofSeconds(4);

    private final Output output;
    private final Set<Thread> serving = ConcurrentHashMap.newKeySet();

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
                serving.remove(Thread.currentThread());
            }
        });
        serving.add(thread);
        thread.start();
    }

    /// Runs a client's service. What goes wrong is told with the client's address before it, unless it names that.
    static void naming(InetSocketAddress peer, Runnable service) {
        String client = Result.text(peer);
        try {
            service.run();
        } catch (RdmaException | ProgramException e) {
            boolean told = Result.isInterrupt(e) || e.getMessage().contains(client);
            throw told ? e : new ProgramException("client " + client + ": " + e.getMessage(), e);
        }
    }

    /// Interrupts all, and waits a moment for them to print what they have.
    public void stop() {
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
