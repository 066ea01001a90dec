package io.verbena.spark;

import io.verbena.endpoint.EndpointOptions;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The connections to other executors, made when they are needed first. Safe from any thread.
final class Peers {
    private static final Logger LOG = LoggerFactory.getLogger(Peers.class);

    /// After connecting failed, how long Spark's own path is taken without another attempt.
    private static final long PAUSE_NS = Duration.ofSeconds(10).toNanos();

    /// For waits that have no time of their own: for the key of a map output, and for the end of a connection. READs
    /// have no such limit: they end by themselves, at the latest when the device gives the peer up.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /// An executor that was asked for. Its lock keeps attempts to connect apart, and guards all but reading the peer.
    private static final class Entry {
        private volatile Peer peer;
        private IllegalStateException failure;
        private long nextAttemptNs;
    }

    private final AddressBook.Lookup addresses;
    private final EndpointOptions options;
    private final long mostFetchBytes;
    private final ExecutorService background;
    private final AtomicLong fetchBytes = new AtomicLong();
    private final Map<String, Entry> entries = new HashMap<>();
    private volatile boolean isClosed;

    Peers(
            String localAddress,
            AddressBook.Lookup addresses,
            long mostFetchBytes,
            Duration connectTimeout,
            ExecutorService background) {
        this.addresses = addresses;
        this.mostFetchBytes = mostFetchBytes;
        this.background = background;
        options = EndpointOptions.defaults()
                .localAddress(localAddress)
                .connectTimeout(connectTimeout)
                .awaitServer(false) // executors listen before others hear of them
                .timeout(LONGEST_WAIT)
                .spin(Duration.ZERO); // the processor is the tasks'
    }

    /// Throws IllegalStateException with the reason when the executor cannot be reached by RDMA.
    Peer peer(String executor) {
        Entry entry;
        synchronized (entries) {
            entry = entries.computeIfAbsent(executor, id -> new Entry());
        }
        synchronized (entry) {
            Peer peer = entry.peer;
            if (peer != null && peer.loss() != null) {
                entry.peer = null;
                peer.close();
            }
            if (entry.peer == null) {
                connect(executor, entry);
            }
            return entry.peer;
        }
    }

    /// Connects to all executors, so that the first fetch of a task does not have to wait for it. What fails here fails
    /// again, and is told, when a task needs it.
    void connectAhead() {
        List<String> others;
        try {
            others = addresses.others();
        } catch (IllegalStateException e) {
            LOG.debug("Not connected ahead: the driver named no executors", e);
            return;
        }
        for (String executor : others) {
            try {
                peer(executor).prepare();
            } catch (IllegalStateException | RdmaException e) {
                LOG.debug("Not connected ahead to executor {}", executor, e);
            }
        }
    }

    private void connect(String executor, Entry entry) {
        if (entry.failure != null && System.nanoTime() - entry.nextAttemptNs < 0) {
            throw entry.failure;
        }
        try {
            AddressBook.Address address = addresses.of(executor);
            if (address.port() == 0) {
                throw new IllegalStateException(
                        "executor %s does not serve RDMA: %s".formatted(executor, address.host()));
            }
            entry.peer = connect(executor, address);
            entry.failure = null;
            if (isClosed) {
                entry.peer.close(); // the others were closed before this one was there
            }
        } catch (IllegalStateException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            fail(entry, e);
        } catch (RdmaException e) {
            if (e.errno() == Errno.EINTR) {
                throw e; // the task is to end, which says nothing about the executor
            }
            fail(
                    entry,
                    new IllegalStateException(
                            "executor %s cannot be reached by RDMA: %s".formatted(executor, e.getMessage()), e));
        }
    }

    /// A connection that nobody else uses.
    Peer connect(String executor, AddressBook.Address address) {
        return new Peer(executor, address, options, fetchBytes, mostFetchBytes, this::closeIdleMemory, background);
    }

    private static void fail(Entry entry, IllegalStateException failure) {
        entry.failure = failure;
        entry.nextAttemptNs = System.nanoTime() + PAUSE_NS;
        throw failure;
    }

    private void closeIdleMemory() {
        all().forEach(peer -> peer.fetchMemory().closeIdle());
    }

    void forget(int shuffle) {
        all().forEach(peer -> peer.forget(shuffle));
    }

    void close() {
        isClosed = true;
        all().forEach(Peer::close);
    }

    /// Without the locks of entries, which are held while an executor is being connected to.
    private List<Peer> all() {
        List<Entry> known;
        synchronized (entries) {
            known = List.copyOf(entries.values());
        }
        return known.stream()
                .map(entry -> entry.peer)
                .filter(peer -> peer != null)
                .toList();
    }
}
