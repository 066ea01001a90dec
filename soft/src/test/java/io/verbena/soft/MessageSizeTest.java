package io.verbena.soft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Messages of every size over real sockets: around each boundary, and the longest there is.
class MessageSizeTest {
    private static final int PART = 4 << 20;
    private static final long LONGEST = 1L << 31;

    @ParameterizedTest
    @EnumSource(Mtu.class)
    void shouldCarryMessagesOfEverySize(Mtu mtu) {
        int m = mtu.bytes();
        int[] sizes = {0, 1, 3, 4, 5, m - 1, m, m + 1, 2 * m - 1, 2 * m, 2 * m + 1, 33 * m + 7, 300 * m, PART};
        try (LoopbackPair pair = new LoopbackPair(4L * PART, mtu)) {
            int done = 0;
            for (int size : sizes) {
                byte[] data = pair.left.fill(0, size, size);
                pair.right.receive(size, PART, PART);
                pair.left.send(1, 0, size);
                pair.left.write(2, 0, size, 2L * PART);
                pair.left.read(3, 2L * PART, size, 3L * PART);
                done++;
                pair.expect(pair.left, 3 * done);
                pair.expect(pair.right, done);
                assertEquals(size, pair.right.completions.getLast().byteLength());
                assertArrayEquals(data, pair.right.bytes(PART, size), "SEND of " + size);
                assertArrayEquals(data, pair.right.bytes(2L * PART, size), "WRITE of " + size);
                assertArrayEquals(data, pair.left.bytes(3L * PART, size), "READ of " + size);
            }
            assertEquals(0, pair.left.counter(Counter.ENGINE_FAULTS));
        }
    }

    /// Mapped files, because the heap and the C allocator would have to find 4 GiB at once.
    private static MemorySegment sparse(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, LONGEST, arena);
        }
    }

    /// Marks near the ends and in the middle must arrive.
    @Test
    @Tag("slow")
    void shouldWriteAndReadTheLongestMessage(@TempDir Path folder) throws Exception {
        long free = Files.getFileStore(folder).getUsableSpace();
        assumeTrue(free > 3 * LONGEST, () -> "needs 6 GiB of the temporary folder, " + free + " bytes are free");
        try (Arena arena = Arena.ofShared();
                LoopbackPair pair = new LoopbackPair(4096)) {
            MemorySegment source = sparse(folder.resolve("source"), arena);
            MemorySegment target = sparse(folder.resolve("target"), arena);
            long[] marks = {0, 4096, LONGEST / 2 - 8, LONGEST / 2, LONGEST - 8};
            for (long at : marks) {
                source.set(ValueLayout.JAVA_LONG, at, at ^ 0x5555_5555L);
            }
            try (MemoryRegion from = pair.left.pd.register(source, Access.LOCAL_WRITE);
                    MemoryRegion to = pair.right.pd.register(
                            target, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE)) {
                SendRequest write = pair.left.request(1).write(to.remote()).from(from, 0, LONGEST);
                pair.left.post(write);
                pair.expect(pair.left, 1);
                assertEquals(LONGEST, pair.left.completions.getFirst().byteLength());
                for (long at : marks) {
                    assertEquals(at ^ 0x5555_5555L, target.get(ValueLayout.JAVA_LONG, at), "WRITE at " + at);
                    source.set(ValueLayout.JAVA_LONG, at, 0);
                }
                pair.left.post(pair.left.request(2).read(to.remote()).into(from, 0, LONGEST));
                pair.expect(pair.left, 2);
                for (long at : marks) {
                    assertEquals(at ^ 0x5555_5555L, source.get(ValueLayout.JAVA_LONG, at), "READ at " + at);
                }
            }
            assertTrue(pair.left.counter(Counter.ENGINE_FAULTS) == 0);
        }
    }
}
