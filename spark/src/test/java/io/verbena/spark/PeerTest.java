package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.endpoint.Endpoint;
import io.verbena.endpoint.EndpointOptions;
import io.verbena.endpoint.EndpointServer;
import io.verbena.endpoint.Message;
import io.verbena.spark.jobs.Loopback;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
    private final Counters counters = new Counters();
    private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
    private EndpointServer server;
    private MapOutputs outputs;
    private Peer peer;

    @BeforeEach
    void connect() {
        server = Endpoint.listen(address, 0, EndpointOptions.defaults());
        background.execute(() -> server.serve(client -> {
            for (Message message : client) {
                throw new IllegalStateException("nobody sends anything, but here is " + message);
            }
        }));
        outputs = new MapOutputs(
                new ExecutorNode.ServerExporter(server), counters, budget(MUCH), budget(MUCH), background);
        Peers peers = new Peers(address, executor -> null, MUCH, LONGEST, background);
        peer = peers.connect("1", new AddressBook.Address(address, server.port()));
    }

    private static Budget budget(long most) {
        return new Budget("spark.verbena.test", most);
    }

    @AfterEach
    void close() {
        peer.close();
        server.close();
        background.close();
    }

    /// Adds a map output with one partition. Returns its bytes.
    private byte[] add(int shuffle, long map) throws IOException {
        byte[] bytes = new byte[LENGTH];
        new Random(shuffle * 1000L + map).nextBytes(bytes);
        File file = Files.write(folder.resolve(shuffle + "-" + map), bytes).toFile();
        outputs.add(new MapOutputs.Id(shuffle, map), file, new long[] {LENGTH});
        return bytes;
    }

    private static String block(int shuffle, long map) {
        return "shuffle_" + shuffle + "_" + map + "_0";
    }

    /// What became of a block: its bytes, or why it was not read.
    private record Outcome(byte[] bytes, String refusal) {}

    private Outcome fetch(int shuffle, long map) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        BlockFetchingListener listener = new BlockFetchingListener() {
            @Override
            public void onBlockFetchSuccess(String block, ManagedBuffer data) {
                try {
                    ByteBuffer bytes = data.nioByteBuffer();
                    byte[] copy = new byte[bytes.remaining()];
                    bytes.get(copy);
                    outcome.complete(new Outcome(copy, null));
                } catch (IOException e) {
                    outcome.completeExceptionally(e);
                }
            }

            @Override
            public void onBlockFetchFailure(String block, Throwable problem) {
                outcome.completeExceptionally(problem);
            }
        };
        new Fetch(peer, counters, listener, (blocks, reason) -> outcome.complete(new Outcome(null, reason)))
                .start(new String[] {block(shuffle, map)});
        return outcome.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
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
