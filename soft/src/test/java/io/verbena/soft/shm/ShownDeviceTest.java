package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What a device shows, as its neighbours see it.
@EnabledOnOs(OS.LINUX)
class ShownDeviceTest {
    private static final int KEY = 0x1234;
    private static final int RIGHTS = 3;
    private static final int DOMAIN = 8;
    private static final long ADDRESS = 0x10000;

    private final ScratchFolder scratch = new ScratchFolder();
    private final SharedFolder theirs = scratch.start();
    private final SharedFolder ours = scratch.start();
    private final SharedFile file = theirs.create("device", DeviceLayout.BYTES);
    private final DeviceFile device = new DeviceFile(file);
    private final Bell bell = theirs.createBell("bell");
    private final PeerDevice peer = new PeerDevice(
            ours, theirs.process(), ours.open(theirs.process(), "device"), ours.openBell(theirs.process(), "bell"));

    @AfterEach
    void close() {
        peer.close();
        if (file.memory().scope().isAlive()) {
            device.close();
        }
        bell.close();
        theirs.remove();
        ours.remove();
        scratch.close();
    }

    private SharedFile region(int id, long bytes) {
        return theirs.create(Sharing.regionName(id), bytes);
    }

    private long show(int key, int file, long bytes) {
        return device.show(key, RIGHTS, ADDRESS, bytes, file, DOMAIN);
    }

    @Test
    void shouldShowQueuePairsInSlotsThatAreFree() {
        int same = 5 + DeviceLayout.QUEUE_PAIRS;
        assertTrue(device.show(5));
        assertTrue(peer.shows(5));
        assertFalse(device.show(same), "the slot is taken");
        assertFalse(device.shows(same));
        assertFalse(peer.shows(same));
        device.hide(same);
        assertTrue(peer.shows(5), "hiding what is not shown hides nobody else");
        device.hide(5);
        assertFalse(peer.shows(5));
        assertTrue(device.show(same));
        assertNull(peer.openInbox(same), "no inbox yet");
    }

    @Test
    void shouldBeNoDeviceOnceClosedOrOfAnotherVersion() {
        assertTrue(peer.isOpen());
        assertTrue(PeerDevice.isOne(file));
        file.memory().set(ValueLayout.JAVA_LONG, DeviceLayout.MAGIC_AT, DeviceLayout.MAGIC + 1);
        assertFalse(PeerDevice.isOne(file));
        assertFalse(peer.isOpen());
        file.memory().set(ValueLayout.JAVA_LONG, DeviceLayout.MAGIC_AT, DeviceLayout.MAGIC);
        device.close();
        assertFalse(peer.isOpen());
        device.asleep(true);
    }

    @Test
    void shouldReachRegionOfItsKeyUntilItIsHidden() {
        try (SharedFile memory = region(1, 1000)) {
            long registration = show(KEY, 1, 1000);
            PeerRegion region = peer.region(KEY);
            assertNotNull(region);
            memory.memory().set(ValueLayout.JAVA_BYTE, 999, (byte) 5);
            assertEquals(5, region.memory().get(ValueLayout.JAVA_BYTE, 999));
            assertSame(region, peer.region(KEY));
            assertNull(peer.region(KEY + 1), "another key of the same slot");
            assertTrue(region.allows(DOMAIN, ADDRESS + 999, 1, RIGHTS));
            assertFalse(region.allows(DOMAIN, ADDRESS + 999, 2, RIGHTS));
            assertFalse(region.allows(DOMAIN, ADDRESS - 1, 1, RIGHTS));
            assertFalse(region.allows(DOMAIN, Long.MIN_VALUE, 1, RIGHTS));
            assertFalse(region.allows(DOMAIN, ADDRESS, -1, RIGHTS));
            assertFalse(region.allows(DOMAIN + 1, ADDRESS, 1, RIGHTS));
            assertFalse(region.allows(DOMAIN, ADDRESS, 1, RIGHTS + 4));
            device.hideRegion(KEY, registration + 1);
            assertTrue(region.isOpen(), "that was another registration");
            device.hideRegion(KEY, registration);
            assertFalse(region.isOpen());
            assertNull(peer.region(KEY));
        }
    }

    @Test
    void shouldTellRegistrationsOfOneKeyApart() {
        try (SharedFile _ = region(1, 1000);
                SharedFile second = region(2, 2000)) {
            long first = show(KEY, 1, 1000);
            PeerRegion before = peer.region(KEY);
            device.hideRegion(KEY, first);
            second.memory().set(ValueLayout.JAVA_BYTE, 0, (byte) 9);
            long again = show(KEY, 2, 2000);
            assertNotEquals(first, again);
            assertFalse(before.isOpen());
            PeerRegion after = peer.region(KEY);
            assertNotSame(before, after);
            assertEquals(9, after.memory().get(ValueLayout.JAVA_BYTE, 0));
            assertNull(peer.regionIn(DeviceLayout.regionSlot(KEY), first), "a registration that is over");
        }
    }

    @Test
    void shouldNotShowRegionWhoseSlotIsTaken() {
        assertNotEquals(0, show(KEY, 1, 1000));
        assertEquals(0, show(KEY + (DeviceLayout.REGIONS << 8), 2, 1000));
    }

    @Test
    void shouldNotMapRegionThatIsShorterThanItsOwnerSaysOrNotThere() {
        try (SharedFile _ = region(1, 1000)) {
            show(KEY, 1, 1001);
            assertNull(peer.region(KEY));
            show(KEY + 0x100, 2, 10);
            assertNull(peer.region(KEY + 0x100));
            show(KEY + 0x200, 1, -1);
            assertNull(peer.region(KEY + 0x200));
        }
    }

    @Test
    void shouldLetGoOfRegionsThatAreClosed() {
        try (SharedFile _ = region(1, 1000);
                SharedFile _ = region(2, 1000)) {
            long registration = show(KEY, 1, 1000);
            show(KEY + 0x100, 2, 1000);
            PeerRegion closed = peer.region(KEY);
            PeerRegion open = peer.region(KEY + 0x100);
            device.hideRegion(KEY, registration);
            peer.sweep();
            assertFalse(closed.memory().scope().isAlive());
            assertTrue(open.memory().scope().isAlive());
        }
    }

    @Test
    void shouldRingOnceForOneSleep() {
        device.asleep(true);
        peer.wake();
        assertEquals(2, file.memory().get(ValueLayout.JAVA_INT, DeviceLayout.ASLEEP_AT));
        peer.wake();
        device.asleep(false);
        peer.wake();
        assertEquals(0, file.memory().get(ValueLayout.JAVA_INT, DeviceLayout.ASLEEP_AT));
    }
}
