package io.verbena.soft.mem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.region.SoftMemoryWindow;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.Keys;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Threads look keys up without any lock while another one registers, registers again, binds, revokes, closes, and
/// makes the table grow: each key they find is a complete one, and keys that stay are always found.
class KeysWithoutLockTest {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int READERS = 2;
    private static final int ROUNDS = 200;
    private static final int CHANGES = 4000;

    private static final int REGIONS = 600;
    /// So many of the regions keep their keys from the start of a round to its end.
    private static final int LASTING = 16;
    /// The window's place, behind the regions.
    private static final int WINDOW = REGIONS;

    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE.bit();
    private static final int COMMON = Access.bits(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);

    private record User(ProtectionDomain protectionDomain) implements MemoryUser {
        static User of(ProtectionDomain domain) {
            return new User(domain);
        }

        @Override
        public boolean isClosed() {
            return false;
        }
    }

    /// The parameters of a registration. The first byte of the memory identifies it, and no two have the same other
    /// parameters, so a mixture of two is detected.
    private record Registration(User user, MemorySegment memory, long address, int access) {}

    /// A table, and the values that its writer gave last.
    private record Round(MemoryTable table, AtomicIntegerArray values) {}

    private final ScriptedPeer peer = new ScriptedPeer();
    private final Arena arena = Arena.ofShared();
    private final User user = User.of(peer.pd);
    private final User other = User.of(peer.context.allocateProtectionDomain());
    private final SoftMemoryWindow window = (SoftMemoryWindow) peer.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
    private final List<Registration> registrations = new ArrayList<>();

    private volatile Round round;
    private volatile boolean over;

    KeysWithoutLockTest() {
        for (int i = 0; i < 8; i++) {
            MemorySegment memory = arena.allocate(64 + 8L * i).fill((byte) i);
            int access = COMMON | (i % 2 == 0 ? Access.REMOTE_READ.bit() : Access.REMOTE_ATOMIC.bit());
            registrations.add(new Registration(i % 3 == 2 ? other : user, memory, (long) i << 32, access));
        }
    }

    @AfterEach
    void close() {
        peer.close();
        arena.close();
    }

    @Test
    void shouldFindWholeKeysWhileTheyChange() throws Exception {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        Writer writer = new Writer(random);
        CountDownLatch ready = new CountDownLatch(READERS);
        List<CompletableFuture<long[]>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            Random own = new Random(random.nextLong());
            readers.add(CompletableFuture.supplyAsync(
                    () -> read(own, ready), task -> Thread.ofPlatform().start(task)));
        }
        try {
            assertTrue(ready.await(60, TimeUnit.SECONDS));
            for (int i = 0; i < ROUNDS; i++) {
                writer.change();
                writer = new Writer(random);
            }
        } finally {
            over = true;
        }
        for (CompletableFuture<long[]> reader : readers) {
            long[] seen = reader.get(60, TimeUnit.SECONDS);
            assertTrue(seen[0] > 0 && seen[1] > 0, "open regions and windows seen: " + seen[0] + ", " + seen[1]);
        }
    }

    /// How many keys of regions, and of the window, it found open.
    private long[] read(Random random, CountDownLatch ready) {
        long[] seen = new long[2];
        ready.countDown();
        while (!over) {
            Round now = round;
            // Half of the lookups are of keys that stay, else most would find nothing.
            int at = switch (random.nextInt(4)) {
                case 0, 1 -> random.nextInt(LASTING);
                case 2 -> WINDOW;
                default -> random.nextInt(REGIONS);
            };
            int value = now.values.get(at);
            MemoryKey key = now.table.find(value);
            if (at < LASTING) {
                assertNotNull(key, "a key that stays is not found");
            }
            if (key != null && isOpen(key, value)) {
                seen[at == WINDOW ? 1 : 0]++;
            }
        }
        return seen;
    }

    private boolean isOpen(MemoryKey key, int value) {
        assertEquals(value, key.value());
        ProtectionDomain domain = key.domain();
        MemorySegment memory = key.memory();
        assertEquals(domain == null, memory == null, "half open");
        if (domain == null) {
            return false;
        }
        Registration made = registrations.get(memory.get(ValueLayout.JAVA_BYTE, 0));
        assertSame(made.memory, memory);
        assertSame(made.user.protectionDomain, domain);
        assertEquals(0, key.offsetOf(made.address), "address and offset do not go together");
        if (key.window() == null) {
            assertEquals(made.address, key.address());
            assertEquals(memory.byteSize(), key.length());
            assertEquals(made.access | MemoryKey.LOCAL_READ, key.access());
            assertEquals(AccessCheck.OK, key.check(made.user, made.address, memory.byteSize(), made.access));
        } else {
            assertEquals(made.address + offsetOfWindow(value), key.address());
            assertEquals(bytesOfWindow(value), key.length());
            assertSame(user, key.onlyUser());
            assertEquals(AccessCheck.OK, key.check(user, key.address(), bytesOfWindow(value), WINDOW_ACCESS));
        }
        return true;
    }

    /// What the window opens follows from its key, so that the value of one binding and the bytes of another show.
    private static long offsetOfWindow(int rkey) {
        return 8L * (rkey & 3);
    }

    private static long bytesOfWindow(int rkey) {
        return 8 + offsetOfWindow(rkey);
    }

    /// The one that changes a table. It starts small with the keys that stay, and grows.
    private final class Writer {
        private final Random random;
        private final MemoryTable table;
        private final AtomicIntegerArray values = new AtomicIntegerArray(REGIONS + 1);
        private final KeySlot[] regions = new KeySlot[REGIONS];
        private final KeySlot bound = new KeySlot(window);

        Writer(Random random) {
            this.random = random;
            this.table = new MemoryTable(random, REGIONS, 1);
            assertTrue(table.add(bound));
            for (int i = 0; i < LASTING; i++) {
                add(i);
            }
            round = new Round(table, values);
        }

        void change() {
            for (int i = 0; i < CHANGES; i++) {
                int at = random.nextInt(Math.min(REGIONS, LASTING + 1 + i / 4));
                if (regions[at] == null) {
                    add(at);
                } else {
                    change(at);
                }
                rebind(regions[random.nextInt(LASTING)]);
            }
        }

        private void add(int at) {
            regions[at] = new KeySlot(null);
            assertTrue(table.add(regions[at]));
            assertTrue(open(at));
        }

        private boolean open(int at) {
            Registration next = registrations.get(random.nextInt(registrations.size()));
            boolean opened =
                    table.open(regions[at], next.user.protectionDomain, next.memory, null, next.address, next.access);
            values.set(at, regions[at].key().value());
            return opened;
        }

        private void change(int at) {
            switch (at < LASTING ? 2 : random.nextInt(8)) {
                case 0 -> {
                    assertTrue(table.renew(regions[at]));
                    assertTrue(open(at));
                }
                case 1 -> {
                    assertTrue(table.remove(regions[at]));
                    regions[at] = null;
                }
                default -> assertEquals(!table.hasWindows(regions[at]), open(at));
            }
        }

        /// Binds the window if it is not bound, and else revokes it.
        private void rebind(KeySlot region) {
            int present = bound.key().value();
            if (bound.key().domain() != null) {
                assertEquals(AccessCheck.OK, table.invalidate(user, present));
                return;
            }
            int rkey = Keys.increment(present);
            MemoryKey part = region.key();
            long from = part.address() + offsetOfWindow(rkey);
            AccessCheck check = table.bind(user, rkey, part.value(), from, bytesOfWindow(rkey), WINDOW_ACCESS);
            boolean sameDomain = part.domain() == user.protectionDomain;
            assertEquals(sameDomain ? AccessCheck.OK : AccessCheck.WRONG_DOMAIN, check);
            if (sameDomain) {
                values.set(WINDOW, rkey);
            }
        }
    }
}
