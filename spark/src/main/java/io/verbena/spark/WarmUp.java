package io.verbena.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.shuffle.BlockFetchingListener;

/// A map output that an executor adds and fetches from itself before the first shuffle.
final class WarmUp {
    /// No shuffle of Spark has this number: it counts from 0.
    private static final int SHUFFLE = Integer.MAX_VALUE - 1;

    private static final long LONGEST_S = 10;

    private WarmUp() {}

    /// @param itself closed at the end
    static void run(MapOutputs outputs, Peer itself) throws IOException {
        Path file = Files.createTempFile("verbena", ".warm-up");
        try {
            Files.write(file, new byte[1 << 16]);
            outputs.add(new MapOutputs.Id(SHUFFLE, 0), file.toFile(), new long[] {1 << 15, 1 << 15});
            for (int i = 0; i < 20; i++) {
                itself.forget(SHUFFLE);
                fetch(itself);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            Files.delete(file);
            outputs.release(SHUFFLE);
            itself.close();
        }
    }

    private static void fetch(Peer itself) throws InterruptedException {
        CountDownLatch fetched = new CountDownLatch(2);
        BlockFetchingListener listener = new BlockFetchingListener() {
            @Override
            public void onBlockFetchSuccess(String block, ManagedBuffer bytes) {
                fetched.countDown();
            }

            @Override
            public void onBlockFetchFailure(String block, Throwable problem) {
                fetched.countDown();
            }
        };
        new Fetch(itself, new Counters(), listener, (failed, reason) -> failed.forEach(block -> fetched.countDown()))
                .start(new String[] {"shuffle_" + SHUFFLE + "_0_0", "shuffle_" + SHUFFLE + "_0_1"});
        fetched.await(LONGEST_S, TimeUnit.SECONDS);
    }
}
