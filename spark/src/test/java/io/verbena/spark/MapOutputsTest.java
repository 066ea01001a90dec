package io.verbena.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MapOutputsTest {
    private static final int LENGTH = 300_000;
    private static final long NODE = 17;
    private static final long MUCH = 1L << 30;

    /// For one output, with the header of its chunk.
    private static final long ROOM = 327_680;

    @TempDir
    private Path folder;

    private final Counters counters = new Counters();
    private final byte[] bytes = new byte[LENGTH];
    private File file;

    /// What others can read.
    private final Map<String, MemorySegment> exported = new LinkedHashMap<>();

    private final List<String> mapped = new ArrayList<>();

    /// What is to be closed in the background.
    private final List<Runnable> closing = new ArrayList<>();

    private Consumer<String> onExport = name -> {};
    private Consumer<String> onRevoke = name -> {};

    /// Memory of a device, without the device.
    private final Exporter exporter = new Exporter() {
        @Override
        public Exported allocate(String name, long length) {
            onExport.accept(name);
            Arena arena = Arena.ofShared();
            return shown(name, arena.allocate(length, 8), arena::close);
        }

        @Override
        public Exported export(String name, MemorySegment memory) {
            onExport.accept(name);
            mapped.add(name);
            return shown(name, memory, () -> {});
        }
    };

    private Exporter.Exported shown(String name, MemorySegment memory, Runnable end) {
        exported.put(name, memory);
        return new Exporter.Exported() {
            @Override
            public MemorySegment memory() {
                return memory;
            }

            @Override
            public void close() {
                exported.remove(name);
                end.run();
                onRevoke.accept(name);
            }
        };
    }

    @BeforeEach
    void writeFile() throws IOException {
        new Random(5).nextBytes(bytes);
        file = Files.write(folder.resolve("output"), bytes).toFile();
    }

    private MapOutputs outputs(Budget memory, Budget files) {
        return new MapOutputs(exporter, NODE, counters, memory, files, closing::add);
    }

    private static Budget budget(long most) {
        return new Budget("spark.verbena.test", most);
    }

    private void add(MapOutputs outputs, int shuffle, long map) {
        outputs.add(new MapOutputs.Id(shuffle, map), file, new long[] {1000, 0, LENGTH - 1000});
    }

    /// As a peer does.
    private Map<Long, OutputRecord> index(int shuffle) {
        Map<Long, OutputRecord> records = new HashMap<>();
        Directory.Slot slot = Directory.Slot.decode(
                exported.get(Directory.exportName(NODE)).asSlice(Directory.slotAt(shuffle), Directory.SLOT_BYTES),
                shuffle);
        if (slot == null) {
            return records;
        }
        MemorySegment chunk =
                chunk(slot.slab(), slot.start(), slot.use(), shuffle).asSlice(0, slot.length());
        while (true) {
            ByteBuffer left = chunk.asByteBuffer().position(Chunk.HEADER_BYTES);
            OutputRecord next = OutputRecord.decode(left);
            while (next != null && next.map() != OutputRecord.NEXT) {
                records.put(next.map(), next);
                next = OutputRecord.decode(left);
            }
            if (next == null) {
                return records;
            }
            chunk = chunk(next.slab(), next.start(), next.use(), shuffle).asSlice(0, next.base());
        }
    }

    private MemorySegment chunk(int slab, long start, long use, int shuffle) {
        MemorySegment memory = exported.get(Slab.exportName(slab)).asSlice(start);
        assertEquals(use, memory.get(ValueLayout.JAVA_LONG, Chunk.USE_AT));
        assertEquals(shuffle, memory.get(ValueLayout.JAVA_INT, Chunk.SHUFFLE_AT));
        return memory;
    }

    private byte[] read(int shuffle, OutputRecord record) {
        if (record.slab() != OutputRecord.FILE) {
            chunk(record.slab(), record.start(), record.use(), shuffle);
        }
        MemorySegment memory = exported.get(
                record.slab() == OutputRecord.FILE
                        ? ShuffleMemory.fileName(shuffle, record.map())
                        : Slab.exportName(record.slab()));
        return memory.asSlice(record.base(), record.offsets()[record.partitions()])
                .toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void shouldCopyOutputsIntoFewChunksAndFindThemByTheIndex() {
        MapOutputs outputs = outputs(budget(MUCH), budget(0));
        for (int map = 0; map < 100; map++) {
            add(outputs, 1, map);
        }
        Map<Long, OutputRecord> records = index(1);
        assertEquals(100, records.size());
        for (OutputRecord record : records.values()) {
            assertArrayEquals(new long[] {0, 1000, 1000, LENGTH}, record.offsets());
            assertArrayEquals(bytes, read(1, record));
        }
        assertEquals(2, exported.size(), () -> "not one slab and the directory: " + exported.keySet());
        assertEquals(0, counters.refusedOutputs.sum());
    }

    @Test
    void shouldGoOnInAnotherBlockWhenTheIndexIsFull() {
        MapOutputs outputs = outputs(budget(MUCH), budget(0));
        long[] lengths = new long[40_000];
        lengths[39_999] = LENGTH;
        for (int map = 0; map < 20; map++) {
            outputs.add(new MapOutputs.Id(3, map), file, lengths);
        }
        assertEquals(20, index(3).size());
        index(3).values().forEach(record -> assertEquals(40_000, record.partitions()));
    }

    @Test
    void shouldMapFilesBeyondTheLimitOfMemoryAndRefuseThoseBeyondBoth() {
        MapOutputs outputs = outputs(budget(ROOM), budget(2 * LENGTH));
        for (int map = 0; map < 5; map++) {
            add(outputs, 1, map);
        }
        assertEquals(List.of("file/1/1", "file/1/2"), mapped);
        assertEquals(2, counters.refusedOutputs.sum());
        Map<Long, OutputRecord> records = index(1);
        assertEquals(3, records.size());
        records.values().forEach(record -> assertArrayEquals(bytes, read(1, record)));
    }

    @Test
    void shouldMapTheFileWhenThereIsNoMemory() {
        MapOutputs outputs = outputs(budget(MUCH), budget(MUCH));
        AtomicBoolean isFirst = new AtomicBoolean(true);
        onExport = name -> {
            if (isFirst.getAndSet(false)) { // the next one is for the index
                throw new IllegalStateException("the test refuses to allocate " + name);
            }
        };
        add(outputs, 1, 0);
        assertEquals(List.of("file/1/0"), mapped);
        assertArrayEquals(bytes, read(1, index(1).get(0L)));
    }

    @Test
    void shouldUseTheMemoryOfAShuffleThatIsOverAgain() {
        Budget memory = budget(MUCH);
        MapOutputs outputs = outputs(memory, budget(0));
        for (int map = 0; map < 5; map++) {
            add(outputs, 1, map);
        }
        OutputRecord old = index(1).get(3L);
        long reserved = memory.reserved();
        long used = counters.usedBytes.sum();
        assertTrue(used >= 5 * LENGTH && used <= reserved, () -> "used: " + used);
        outputs.release(1);
        assertEquals(0, counters.usedBytes.sum());
        assertEquals(Map.of(), index(1));
        long useNow = exported.get(Slab.exportName(old.slab())).get(ValueLayout.JAVA_LONG, old.start() + Chunk.USE_AT);
        assertNotEquals(old.use(), useNow, "whoever reads it now must see that the shuffle is over");
        for (int map = 0; map < 5; map++) {
            add(outputs, 2, map);
        }
        assertEquals(reserved, memory.reserved());
        assertEquals(used, counters.usedBytes.sum());
        assertEquals(5, index(2).size());
        index(2).values().forEach(record -> assertArrayEquals(bytes, read(2, record)));
    }

    @Test
    void shouldGiveIdleMemoryBackInTheBackgroundWhenOthersNeedTheRoom() {
        Budget memory = budget(3 * ROOM);
        Budget files = budget(MUCH);
        MapOutputs outputs = outputs(memory, files);
        add(outputs, 1, 0);
        outputs.release(1);
        long[] three = {LENGTH / 10};
        outputs.add(new MapOutputs.Id(2, 0), file, three); // takes a part of what is idle, or less
        outputs.release(2);
        byte[] large = new byte[(int) (2 * ROOM)];
        file = assertDoesNotThrow(
                () -> Files.write(folder.resolve("large"), large).toFile());
        outputs.add(new MapOutputs.Id(3, 0), file, new long[] {large.length});
        assertEquals(List.of("file/3/0"), mapped, "it does not wait until there is room");
        assertFalse(closing.isEmpty());
        closing.forEach(Runnable::run);
        outputs.add(new MapOutputs.Id(3, 1), file, new long[] {large.length});
        assertEquals(List.of("file/3/0"), mapped, "now there is room");
        assertEquals(0, counters.refusedOutputs.sum());
        assertArrayEquals(large, read(3, index(3).get(0L)));
        assertArrayEquals(large, read(3, index(3).get(1L)));
        assertTrue(memory.reserved() <= 3 * ROOM, () -> "reserved: " + memory.reserved());
        assertEquals(memory.reserved() + files.reserved(), counters.registeredBytes.sum());
    }

    @Test
    void shouldGiveMappedFilesBackWhenTheShuffleIsReleased() {
        Budget files = budget(MUCH);
        MapOutputs outputs = outputs(budget(0), files);
        onRevoke = name -> {
            throw new IllegalStateException("the test refuses to revoke " + name);
        };
        for (int map = 0; map < 5; map++) {
            add(outputs, 1, map);
        }
        List<MemorySegment> all = mapped.stream().map(exported::get).toList();
        assertEquals(5, all.size());
        outputs.release(1);
        all.forEach(each -> assertFalse(each.scope().isAlive()));
        assertEquals(0, files.reserved());
        assertEquals(0, counters.usedBytes.sum());
    }

    @Test
    void shouldRefuseAnOutputWhenAnEarlierShuffleHasItsPlaceInTheDirectory() {
        MapOutputs outputs = outputs(budget(MUCH), budget(0));
        add(outputs, 1, 0);
        add(outputs, 1 + 4096, 0);
        assertEquals(1, counters.refusedOutputs.sum());
        assertEquals(1, index(1).size());
        outputs.release(1);
        add(outputs, 1 + 8192, 0);
        assertEquals(1, index(1 + 8192).size());
    }

    @Test
    void shouldRefuseAnOutputWhoseFileIsTooShort() throws IOException {
        Files.write(file.toPath(), new byte[LENGTH - 1]);
        MapOutputs outputs = outputs(budget(MUCH), budget(MUCH));
        add(outputs, 1, 0);
        assertEquals(1, counters.refusedOutputs.sum());
        assertEquals(Map.of(), index(1));
    }

    @Test
    void shouldNotRegisterAnOutputAfterItsShuffleWasReleased() {
        MapOutputs outputs = outputs(budget(MUCH), budget(MUCH));
        outputs.release(1);
        add(outputs, 1, 1);
        assertEquals(0, counters.usedBytes.sum());
        assertEquals(1, counters.refusedOutputs.sum());
    }

    @Test
    void shouldGiveBackAnOutputWhoseShuffleIsReleasedWhileItIsAdded() {
        MapOutputs outputs = outputs(budget(MUCH), budget(MUCH));
        onExport = name -> outputs.release(1);
        add(outputs, 1, 5);
        assertEquals(Map.of(), index(1));
        assertEquals(0, counters.usedBytes.sum());
    }
}
