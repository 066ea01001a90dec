package io.verbena.spark;

import io.verbena.endpoint.Connection;
import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.EndpointServer;
import io.verbena.endpoint.Export;
import io.verbena.endpoint.Message;
import io.verbena.verbs.attr.Access;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an executor has for the shuffle by RDMA: a server with its map outputs, and connections to other executors.
final class ExecutorNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorNode.class);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(6);

    /// How often other executors are looked for.
    private static final long AHEAD_PAUSE_NS = Duration.ofSeconds(10).toNanos();

    private final AtomicLong nextAheadNs = new AtomicLong(System.nanoTime());
    private final EndpointServer server;
    private final AddressBook.Address address;
    private final MapOutputs outputs;
    private final Peers peers;
    private final Counters counters = new Counters();

    /// For what waits and must not hold up Spark or the thread that handles completions.
    private final ExecutorService background = Executors.newThreadPerTaskExecutor(Thread.ofVirtual()
            .name("verbena-shuffle")
            .uncaughtExceptionHandler(ExecutorNode::onUncaught)
            .factory());

    /// Closes slabs, one after the other.
    private final ExecutorService closer = Executors.newSingleThreadExecutor(Thread.ofPlatform()
            .daemon()
            .name("verbena-shuffle-closer")
            .uncaughtExceptionHandler(ExecutorNode::onUncaught)
            .factory());

    /// @param host the name of this host, as Spark knows it
    /// @param addresses where other executors listen
    ExecutorNode(SparkConf conf, String host, AddressBook.Lookup addresses) throws IOException {
        String local = conf.contains(Settings.NETWORK) ? LocalAddress.in(conf.get(Settings.NETWORK)) : host;
        Budget memory = Settings.memory(conf);
        Budget files = Settings.registered(conf);
        long mostFetchBytes = Settings.fetchBytes(conf);
        peers = new Peers(local, addresses, mostFetchBytes, Settings.connectTimeout(conf), background);
        server = Endpoint.listen(
                local, 0, EndpointOptions.defaults().spin(Duration.ZERO)); // after all that a wrong setting fails in
        address = new AddressBook.Address(local, server.port(), new SecureRandom().nextLong());
        outputs = outputs(memory, files);
        Thread.ofPlatform()
                .daemon()
                .name("verbena-shuffle-server")
                .uncaughtExceptionHandler(ExecutorNode::onUncaught)
                .start(() -> server.serve(ExecutorNode::serve));
        Thread.ofPlatform()
                .daemon()
                .name("verbena-shuffle-warm-up")
                .uncaughtExceptionHandler(ExecutorNode::onUncaught)
                .start(this::warmUp);
    }

    /// Memory for the directory may be missing: then nobody would close the server.
    private MapOutputs outputs(Budget memory, Budget files) {
        try {
            return new MapOutputs(new ServerExporter(server), address.node(), counters, memory, files, closer);
        } catch (RuntimeException e) {
            closer.shutdown();
            server.close();
            throw e;
        }
    }

    /// A peer that is gone makes closing its connection fail, which must not end this executor: Spark's own handler
    /// ends it after any exception. Errors, such as no memory, are left to that.
    private static void onUncaught(Thread thread, Throwable problem) {
        if (problem instanceof Error) {
            thread.getThreadGroup().uncaughtException(thread, problem);
        } else {
            LOG.warn("Work in the background failed: {}", problem.getMessage(), problem);
        }
    }

    /// Reads from this executor as others do, so that the first fetch of a task does not have to load and link all
    /// classes. What fails here fails again, and is told, where it matters.
    private void warmUp() {
        try {
            outputs.prepare();
            WarmUp.run(outputs, peers.connect("itself", address));
        } catch (IOException | RuntimeException e) {
            LOG.debug("The warm-up ended early", e);
        }
    }

    /// Others read by RDMA, and send nothing. Returns when the client is gone.
    private static void serve(Connection client) {
        for (Message message : client) {
            LOG.warn("{} sent {} bytes, which nobody asked for", client.peer(), message.length());
        }
    }

    /// Memory that clients of a server read.
    record ServerExporter(EndpointServer server) implements Exporter {
        private record Shown(Export export) implements Exported {
            @Override
            public MemorySegment memory() {
                return export.memory();
            }

            @Override
            public void close() {
                export.close();
            }
        }

        @Override
        public Exported allocate(String name, long bytes) {
            return new Shown(server.allocate(name, bytes, Access.REMOTE_READ));
        }

        @Override
        public Exported export(String name, MemorySegment memory) {
            return new Shown(server.export(name, memory, Access.REMOTE_READ));
        }
    }

    AddressBook.Address address() {
        return address;
    }

    MapOutputs outputs() {
        return outputs;
    }

    Peers peers() {
        return peers;
    }

    Counters counters() {
        return counters;
    }

    ExecutorService background() {
        return background;
    }

    /// Connects to other executors, unless that was done a moment ago. A map task calls it: reducers will need them.
    void connectAhead() {
        long dueNs = nextAheadNs.get();
        long nowNs = System.nanoTime();
        if (nowNs - dueNs >= 0 && nextAheadNs.compareAndSet(dueNs, nowNs + AHEAD_PAUSE_NS)) {
            background.execute(peers::connectAhead);
        }
    }

    /// The shuffle is over.
    void release(int shuffle) {
        background.execute(() -> {
            peers.forget(shuffle);
            outputs.release(shuffle);
        });
    }

    @Override
    public void close() {
        try {
            peers.close();
            awaitCloser();
        } finally {
            server.close();
        }
    }

    /// Closing a slab waits for peers, a few seconds at most. The server's end closes those that are left.
    private void awaitCloser() {
        closer.shutdown();
        try {
            if (!closer.awaitTermination(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Peers did not confirm within {} that they read memory no more", LONGEST_CLOSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
