package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.EndpointServer;
import io.verbena.endpoint.Message;
import io.verbena.spark.jobs.Loopback;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Map outputs of one executor that another one reads, in one process.
class PeerTest {
    private static final int LENGTH = 100_000;
    private static final long MUCH = 1L << 30;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final String address = Loopback.address();
    private final Random random = new Random(3);
    private final Counters counters = new Counters();
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();

    /// What the driver answers to the question for an executor.
    private volatile AddressBook.Address registered;

    private final AtomicInteger questions = new AtomicInteger();

    private final AddressBook.Lookup driver = new AddressBook.Lookup() {
        @Override
        public AddressBook.Address of(String executor) {
            questions.incrementAndGet();
            return executor.equals("1") ? registered : AddressBook.Address.none("the test has no such executor");
        }

        @Override
        public List<String> others() {
            return List.of("gone", "1");
        }
    };

    private final Peers peers = new Peers(address, driver, MUCH, LONGEST, background);
    private EndpointServer server;
    private MapOutputs outputs;
    private Peer peer;

    @BeforeEach
    void connect() {
        listen(0, 1);
        peer = peers.peer("1");
    }

    private void listen(int port, long node) {
        EndpointServer started = Endpoint.listen(address, port, EndpointOptions.defaults());
        background.execute(() -> started.serve(client -> {
            for (Message message : client) {
                throw new IllegalStateException("nobody sends anything, but here is " + message);
            }
        }));
        server = started;
        outputs = new MapOutputs(
                new ExecutorNode.ServerExporter(server), node, counters, budget(MUCH), budget(MUCH), background);
        registered = new AddressBook.Address(address, server.port(), node);
    }

    private static Budget budget(long most) {
        return new Budget("spark.verbena.test", most);
    }

    @AfterEach
    void close() {
        peers.close();
        server.close();
        background.close();
    }

    /// Adds a map output with one partition. Returns its bytes.
    private byte[] add(int shuffle, long map) throws IOException {
        byte[] bytes = new byte[LENGTH];
        random.nextBytes(bytes);
        add(shuffle, map, bytes);
        return bytes;
    }

    private void add(int shuffle, long map, byte[] bytes) throws IOException {
        File file = Files.write(folder.resolve(shuffle + "-" + map), bytes).toFile();
        outputs.add(new MapOutputs.Id(shuffle, map), file, new long[] {bytes.length});
    }

    private static String block(int shuffle, long map) {
        return "shuffle_" + shuffle + "_" + map + "_0";
    }

    /// What became of a block: its bytes, or why it was not read.
    private record Outcome(byte[] bytes, String refusal) {}

    private Outcome fetch(int shuffle, long map) throws Exception {
        return fetch(peer, shuffle, map);
    }

    private Outcome fetch(Peer from, int shuffle, long map) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        BlockFetchingListener listener = new BlockFetchingListener() {
            @Override
            public void onBlockFetchSuccess(String block, ManagedBuffer data) {
                try {
                    outcome.complete(new Outcome(copy(data), null));
                } catch (IOException e) {
                    outcome.completeExceptionally(e);
                }
            }

            @Override
            public void onBlockFetchFailure(String block, Throwable problem) {
                outcome.completeExceptionally(problem);
            }
        };
        new Fetch(from, counters, listener, (blocks, reason) -> outcome.complete(new Outcome(null, reason)))
                .start(new String[] {block(shuffle, map)});
        return outcome.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
    }

    private static byte[] copy(ManagedBuffer data) throws IOException {
        ByteBuffer bytes = data.nioByteBuffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    @Test
    void shouldRefuseBytesOfAnotherShuffleInTheSameMemory() throws Exception {
        byte[] old = add(1, 0);
        assertArrayEquals(old, fetch(1, 0).bytes);
        Peer.Located before = peer.located(new MapOutputs.Id(1, 0));
        outputs.release(1);
        byte[] present = add(2, 0);
        assertArrayEquals(present, fetch(2, 0).bytes);
        Peer.Located after = peer.located(new MapOutputs.Id(2, 0));
        assertSame(before.memory(), after.memory(), "the test needs the same memory");
        assertEquals(before.base(), after.base(), "the test needs the same memory");
        Outcome late = fetch(1, 0); // of a task that has not heard of the end
        assertNotNull(late.refusal, "bytes of another shuffle were taken");
        assertTrue(late.refusal.contains("has given the map output back"), late.refusal);
    }

    @Test
    void shouldRefuseBytesOfAShuffleThatIsOver() throws Exception {
        add(1, 0);
        assertNotNull(fetch(1, 0).bytes);
        outputs.release(1);
        assertNotNull(fetch(1, 0).refusal);
    }

    @Test
    void shouldNotTakeTheIndexOfAnotherShuffleForThatOfAnEarlierOne() throws Exception {
        add(1, 0);
        assertNotNull(fetch(1, 0).bytes);
        outputs.release(1);
        for (long map = 0; map < 10; map++) {
            add(2, map); // in the memory of the first index, and beyond where that ended
        }
        Outcome late = fetch(1, 7);
        assertNotNull(late.refusal, "bytes of another shuffle were taken");
        assertTrue(late.refusal.contains("does not offer the map output"), late.refusal);
    }

    @Test
    void shouldNotTakeOldBytesWhenAShuffleIsWrittenAgain() throws Exception {
        add(1, 0);
        assertNotNull(fetch(1, 0).bytes);
        outputs.release(1);
        add(1, 0); // as Spark does when a job needs a shuffle that was cleaned up
        add(1, 1);
        assertNotNull(fetch(1, 0).refusal);
        assertNotNull(fetch(1, 1).refusal);
        peer.forget(1);
        assertNotNull(fetch(1, 0).refusal);
        assertNotNull(fetch(1, 1).refusal);
    }

    @Test
    void shouldReadWhatEachAttemptOfAMapTaskHasWritten() throws Exception {
        byte[] first = add(1, 0);
        assertArrayEquals(first, fetch(1, 0).bytes);
        byte[] again = add(1, 7); // a stage that is tried again, or a speculative task: each attempt has its own number
        assertArrayEquals(again, fetch(1, 7).bytes);
        assertArrayEquals(first, fetch(1, 0).bytes);
    }

    /// The memory of one shuffle gets the bytes of the next one while the blocks are fetched again and again.
    @Test
    void shouldNeverTakeBytesThatWereReplacedWhileTheyWereRead() throws Exception {
        int shuffles = 100;
        byte[] bytes = new byte[1 << 20];
        AtomicInteger present = new AtomicInteger();
        Future<Integer> fetching = background.submit(() -> {
            int taken = 0;
            while (present.get() < shuffles) {
                int shuffle = present.get();
                for (int i = 0; i < 3; i++) {
                    Outcome outcome = fetch(shuffle, 0);
                    if (outcome.bytes != null) {
                        taken++;
                        for (byte each : outcome.bytes) {
                            assertEquals((byte) shuffle, each, "bytes of another shuffle were taken");
                        }
                    }
                }
            }
            return taken;
        });
        for (int shuffle = 0; shuffle < shuffles; shuffle++) {
            Arrays.fill(bytes, (byte) shuffle);
            add(shuffle, 0, bytes);
            present.set(shuffle);
            LockSupport.parkNanos(random.nextInt(3_000_000)); // in the middle of a fetch, or between two
            outputs.release(shuffle);
        }
        present.set(shuffles);
        int taken = fetching.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        assertTrue(taken > 0, "nothing was read");
    }

    @Test
    void shouldNotReadFromAnotherExecutorAtTheAddressOfOneThatHasEnded() throws Exception {
        AddressBook.Address ended = registered;
        add(1, 0);
        assertNotNull(fetch(1, 0).bytes);
        server.close();
        listen(ended.port(), 2);
        registered = ended; // the driver does not know the other one: it may be of another application
        add(1, 0);
        assertNotNull(fetch(1, 0).refusal);
        IllegalStateException refused = assertThrows(IllegalStateException.class, () -> peers.peer("1"));
        assertTrue(refused.getMessage().contains("another one listens"), refused::getMessage);
    }

    @Test
    void shouldReadFromAnExecutorThatHasRegisteredAgain() throws Exception {
        add(1, 0);
        assertNotNull(fetch(1, 0).bytes);
        server.close();
        listen(registered.port(), 2);
        byte[] present = add(1, 0);
        assertNotNull(fetch(1, 0).refusal, "the connection to its earlier process is lost");
        assertArrayEquals(present, fetch(peers.peer("1"), 1, 0).bytes);
    }

    @Test
    void shouldConnectBeforeATaskNeedsIt() throws Exception {
        byte[] bytes = add(1, 0);
        Peers ahead = new Peers(address, driver, MUCH, LONGEST, background);
        questions.set(0);
        ahead.connectAhead();
        Peer connected = ahead.peer("1");
        assertEquals(2, questions.get(), "one for each executor, and none by the task");
        assertEquals(1, connected.statistics().remoteAccesses(), "the first slab is known");
        ahead.connectAhead();
        assertEquals(1, connected.statistics().remoteAccesses());
        assertArrayEquals(bytes, fetch(connected, 1, 0).bytes);
        ahead.close();
    }

    @Test
    void shouldConnectForTheNextTaskWhenOneWasInterrupted() throws Exception {
        byte[] bytes = add(1, 0);
        Peers others = new Peers(address, driver, MUCH, LONGEST, background);
        Thread.currentThread().interrupt();
        RdmaException interrupted = assertThrows(RdmaException.class, () -> others.peer("1"));
        assertEquals(Errno.EINTR, interrupted.errno());
        Thread.interrupted();
        assertArrayEquals(bytes, fetch(others.peer("1"), 1, 0).bytes);
        others.close();
    }

    @Test
    void shouldReadManyBlocksInSeveralChains() throws Exception {
        long[] lengths = new long[200];
        Arrays.setAll(lengths, partition -> 1 + partition * 7);
        byte[] bytes = new byte[(int) LongStream.of(lengths).sum()];
        random.nextBytes(bytes);
        File file = Files.write(folder.resolve("many"), bytes).toFile();
        outputs.add(new MapOutputs.Id(1, 0), file, lengths);
        Map<String, byte[]> fetched = new ConcurrentHashMap<>();
        CompletableFuture<Void> all = new CompletableFuture<>();
        String[] names = IntStream.range(0, lengths.length)
                .mapToObj(partition -> "shuffle_1_0_" + partition)
                .toArray(String[]::new);
        BlockFetchingListener listener = new BlockFetchingListener() {
            @Override
            public void onBlockFetchSuccess(String block, ManagedBuffer data) {
                try {
                    fetched.put(block, copy(data));
                    if (fetched.size() == names.length) {
                        all.complete(null);
                    }
                } catch (IOException e) {
                    all.completeExceptionally(e);
                }
            }

            @Override
            public void onBlockFetchFailure(String block, Throwable problem) {
                all.completeExceptionally(problem);
            }
        };
        new Fetch(
                        peer,
                        counters,
                        listener,
                        (blocks, reason) -> all.completeExceptionally(new IllegalStateException(reason)))
                .start(names);
        all.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        int at = 0;
        for (int partition = 0; partition < lengths.length; partition++) {
            byte[] expected = Arrays.copyOfRange(bytes, at, at += (int) lengths[partition]);
            assertArrayEquals(expected, fetched.get(names[partition]), "partition " + partition);
        }
    }

    @Test
    void shouldReadTheIndexOnceForMapOutputsThatItDoesNotHave() throws Exception {
        add(1, 0);
        assertNotNull(fetch(1, 0).bytes);
        List<MapOutputs.Id> missing = LongStream.rangeClosed(1, 100)
                .mapToObj(map -> new MapOutputs.Id(1, map))
                .toList();
        long before = accesses();
        peer.locate(missing);
        assertEquals(2, accesses() - before, "what is new, and the header");
        peer.locate(missing);
        assertEquals(2, accesses() - before, "nothing is to be learnt any more");
        byte[] later = add(1, 101);
        assertArrayEquals(later, fetch(1, 101).bytes);
    }

    private long accesses() {
        return peer.statistics().remoteAccesses();
    }
}
