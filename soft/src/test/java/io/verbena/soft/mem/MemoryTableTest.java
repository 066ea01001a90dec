package io.verbena.soft.mem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.device.SoftContext;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.region.SoftMemoryRegion;
import io.verbena.soft.region.SoftMemoryWindow;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.soft.rig.ScriptedPeer;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.MemoryWindowType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryTableTest {
    private static MemoryTable tableOf(io.verbena.verbs.Context context) {
        return ((SoftContext) context).engines().first().memory();
    }

    private static MemoryUser userOf(ProtectionDomain domain) {
        return new MemoryUser() {
            @Override
            public ProtectionDomain protectionDomain() {
                return domain;
            }

            @Override
            public boolean isClosed() {
                return false;
            }
        };
    }

    @Test
    void shouldFindRegionsByTheirKeysWhileTheyComeAndGo() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            MemoryTable table = tableOf(peer.context);
            Random random = new Random(3);
            Map<Integer, MemoryRegion> live = new HashMap<>();
            Set<Integer> dead = new HashSet<>();
            for (int i = 0; i < 2000; i++) {
                if (live.size() < 300 && random.nextInt(3) > 0) {
                    MemoryRegion region = peer.pd.allocate(16, Access.LOCAL_WRITE, Access.REMOTE_READ);
                    assertNull(live.put(region.lkey(), region), "key given twice");
                    assertNotEquals(0, region.lkey());
                    assertEquals(region.lkey(), region.rkey());
                    dead.remove(region.lkey());
                } else if (!live.isEmpty()) {
                    List<Integer> keys = new ArrayList<>(live.keySet());
                    int key = keys.get(random.nextInt(keys.size()));
                    live.remove(key).close();
                    dead.add(key);
                }
            }
            live.forEach((key, region) -> assertEquals(key, table.find(key).value()));
            dead.forEach(key -> assertNull(table.find(key), "a key of an earlier life"));
        }
    }

    @Test
    void shouldNotLetTheNextKeyBeToldFromTheLast() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            int last = peer.memory.rkey() >>> 8;
            int near = 0;
            for (int i = 0; i < 200; i++) {
                int next = peer.pd.allocate(16, Access.REMOTE_READ).rkey() >>> 8;
                near += Math.abs(next - last) < 1024 ? 1 : 0;
                last = next;
            }
            assertTrue(near <= 2, "neighbours: " + near);
        }
    }

    @Test
    void shouldSayWhyAnAccessIsRefused() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            MemoryTable table = tableOf(peer.context);
            MemoryUser user = userOf(peer.pd);
            MemoryUser other = userOf(peer.context.allocateProtectionDomain());
            int key = peer.memory.rkey();
            long at = peer.memory.address();
            long length = peer.memory.length();
            int read = Access.REMOTE_READ.bit();
            assertEquals(AccessCheck.OK, table.check(key, user, at, length, read));
            assertEquals(AccessCheck.OK, table.check(key, user, at + length, 0, read));
            assertEquals(AccessCheck.BAD_KEY, table.check(key ^ 1, user, at, 1, read));
            assertEquals(AccessCheck.WRONG_DOMAIN, table.check(key, other, at, 1, read));
            assertEquals(AccessCheck.OUT_OF_RANGE, table.check(key, user, at - 1, 1, read));
            assertEquals(AccessCheck.OUT_OF_RANGE, table.check(key, user, at, length + 1, read));
            assertEquals(AccessCheck.OUT_OF_RANGE, table.check(key, user, at + length, 1, read));
            assertEquals(AccessCheck.OUT_OF_RANGE, table.check(key, user, Long.MIN_VALUE, 1, read));
            assertEquals(AccessCheck.NO_RIGHT, table.check(key, user, at, 1, Access.FLUSH_PERSISTENT.bit()));
        }
    }

    @Test
    void shouldRefuseAccessWhateverTheNumbersAddUpTo() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            MemoryTable table = tableOf(peer.context);
            MemoryUser user = userOf(peer.pd);
            MemoryRegion region = peer.pd.register(
                    ((SoftMemoryRegion) peer.pd.allocate(64, Access.LOCAL_WRITE)).memory(), -64, Access.REMOTE_READ);
            int key = region.rkey();
            int read = Access.REMOTE_READ.bit();
            assertEquals(AccessCheck.OK, table.check(key, user, -64, 64, read));
            assertEquals(AccessCheck.OK, table.check(key, user, -1, 1, read));
            assertEquals(AccessCheck.OUT_OF_RANGE, table.check(key, user, -1, 2, read));
            for (long address : new long[] {0, 1, -65, Long.MAX_VALUE, Long.MIN_VALUE, -63}) {
                for (long length : new long[] {1L << 31, Long.MAX_VALUE, Long.MIN_VALUE, -1, 64}) {
                    assertEquals(AccessCheck.OUT_OF_RANGE, table.check(key, user, address, length, read));
                }
            }
        }
    }

    @Test
    void shouldTakeAsManyOfEachKindAsItSaysAndNotOneMore() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            MemoryTable table = new MemoryTable(new Random(9), 200, 3);
            List<KeySlot> slots = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                slots.add(new KeySlot(null));
                assertTrue(table.add(slots.getLast()));
            }
            assertFalse(table.add(new KeySlot(null)));
            SoftMemoryWindow window = (SoftMemoryWindow) peer.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1);
            for (int i = 0; i < 3; i++) {
                assertTrue(table.add(new KeySlot(window)));
            }
            assertFalse(table.add(new KeySlot(window)));
            assertTrue(table.remove(slots.getFirst()));
            assertTrue(table.remove(slots.removeFirst()), "once more changes nothing");
            assertTrue(table.add(new KeySlot(null)));
            assertFalse(table.add(new KeySlot(null)));
            slots.forEach(
                    slot -> assertSame(slot, table.find(slot.key().value()).owner()));
            slots.forEach(slot -> assertSame(slot.key(), table.find(slot.key().value())));
        }
    }

    @Test
    void shouldTellTheLimitsItKeeps() {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            var attributes = peer.context.attributes();
            assertEquals(SoftLimits.MAX_MEMORY_REGIONS, attributes.maxMemoryRegions());
            assertEquals(SoftLimits.MAX_MEMORY_WINDOWS, attributes.maxMemoryWindows());
            assertTrue(attributes.capabilities().contains(DeviceCapability.MEMORY_WINDOW));
            List<MemoryWindow> windows = new ArrayList<>();
            for (int i = 0; i < attributes.maxMemoryWindows(); i++) {
                windows.add(peer.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1));
            }
            RdmaException refused =
                    assertThrows(RdmaException.class, () -> peer.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1));
            assertEquals(Errno.ENOMEM, refused.errno());
            windows.removeLast().close();
            peer.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2);
        }
    }

    /// The table grows while others register; no region may get lost in that.
    @Test
    void shouldKeepEveryRegionWhenSeveralThreadsRegister() throws Exception {
        try (var context = LoopbackPair.openDevice(Loopback.next())) {
            var pd = context.allocateProtectionDomain();
            List<CompletableFuture<List<MemoryRegion>>> running = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                running.add(CompletableFuture.supplyAsync(
                        () -> {
                            List<MemoryRegion> made = new ArrayList<>();
                            for (int i = 0; i < 2000; i++) {
                                made.add(pd.allocate(8, Access.LOCAL_WRITE));
                            }
                            return made;
                        },
                        task -> Thread.ofPlatform().start(task)));
            }
            MemoryTable table = tableOf(context);
            int found = 0;
            for (CompletableFuture<List<MemoryRegion>> thread : running) {
                for (MemoryRegion region : thread.get(60, TimeUnit.SECONDS)) {
                    assertEquals(region.address(), table.find(region.lkey()).address());
                    found++;
                }
            }
            assertTrue(found == 8000);
            context.closeAll();
        }
    }
}
