package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.RoceConstants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// An inbox and the lane into it.
@EnabledOnOs(OS.LINUX)
class RingTest {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final long HIGH = 1;
    private static final long LOW = 2;
    private static final int SENDER = 17;
    private static final int RECEIVER = 18;
    private static final int FIRST_PSN = 5;
    private static final int LAST_PSN = (1 << 24) - 1;
    private static final int LARGEST = Lane.MTU + 100;

    private final ScratchFolder scratch = new ScratchFolder();
    private final SharedFolder theirs = scratch.start();
    private final SharedFolder ours = scratch.start();
    private final DeviceFile device = new DeviceFile(theirs.create("device", DeviceLayout.BYTES));
    private final Inbox inbox = new Inbox(theirs.create(Sharing.inboxName(1), InboxLayout.BYTES), 1);
    private final PeerDevice peer;
    private final Lane lane;
    private final Random random = new Random(SEED);

    RingTest() {
        theirs.createBell("bell");
        peer = new PeerDevice(
                ours, theirs.process(), ours.open(theirs.process(), "device"), ours.openBell(theirs.process(), "bell"));
        lane = new Lane(null, peer, RECEIVER, HIGH, LOW, SENDER);
        // So that it tells nobody: waking is not the matter here.
        lane.touched = true;
        lane.firstPsn(FIRST_PSN);
    }

    @AfterEach
    void close() {
        lane.close();
        peer.close();
        inbox.close();
        device.close();
        theirs.remove();
        ours.remove();
        scratch.close();
    }

    private void connect() {
        inbox.meantFor(HIGH, LOW, SENDER, FIRST_PSN);
        device.show(RECEIVER);
        device.inbox(RECEIVER, 1);
    }

    /// False when there is no room.
    private boolean put(byte[] packet) {
        int at = lane.claim(packet.length);
        if (at < 0) {
            return false;
        }
        MemorySegment.copy(packet, 0, lane.memory(), ValueLayout.JAVA_BYTE, at, packet.length);
        lane.send(at, at + packet.length, 0, null);
        return true;
    }

    private byte[] take() {
        assertTrue(inbox.next(), () -> "nothing there, seed " + SEED);
        byte[] packet = inbox.memory()
                .asSlice(inbox.packetAt(), inbox.packetBytes() - RoceConstants.ICRC_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
        inbox.release();
        return packet;
    }

    /// Often all its words are marks that could come next.
    private byte[] packet(int bytes, long cell) {
        byte[] packet = new byte[bytes];
        if (random.nextBoolean()) {
            random.nextBytes(packet);
            return packet;
        }
        var memory = MemorySegment.ofArray(packet);
        for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
            memory.set(
                    ValueLayout.JAVA_LONG_UNALIGNED,
                    at,
                    InboxLayout.marked(cell + random.nextInt(2 * InboxLayout.CELLS), 0));
        }
        return packet;
    }

    @Test
    void shouldDropPacketsUntilPeerHasInbox() {
        assertTrue(put(new byte[10]));
        assertFalse(lane.isRefused());
        assertFalse(inbox.next());
        assertFalse(lane.isOpen());
        connect();
        assertTrue(put(new byte[] {1, 2, 3}));
        assertArrayEquals(new byte[] {1, 2, 3}, take());
        assertFalse(inbox.next());
    }

    @Test
    void shouldNotWriteIntoInboxThatIsMeantForAnother() {
        connect();
        inbox.meantFor(HIGH, LOW, SENDER + 1, FIRST_PSN);
        assertTrue(put(new byte[10]));
        assertFalse(inbox.hasNews());
        assertFalse(lane.isOpen());
    }

    @Test
    void shouldCarryPacketsOfAllSizesInOrderThroughManyRounds() {
        connect();
        Deque<byte[]> under = new ArrayDeque<>();
        long cells = 0;
        while (cells < 50L * InboxLayout.CELLS) {
            int bytes = random.nextInt(5) == 0 ? random.nextInt(LARGEST) : random.nextInt(200);
            byte[] packet = packet(bytes, cells);
            boolean room = put(packet);
            if (room) {
                under.add(packet);
                cells += InboxLayout.cells(bytes);
            }
            // Without room all may be taken already, and the lane was not told.
            int takes = room ? random.nextInt(3) : random.nextInt(under.size() + 1);
            for (int i = 0; i < takes && !under.isEmpty(); i++) {
                assertArrayEquals(under.remove(), take(), () -> "seed " + SEED);
            }
            if (!room || random.nextInt(10) == 0) {
                inbox.settle();
            }
            assertEquals(!under.isEmpty(), inbox.hasNews() && inbox.next(), () -> "seed " + SEED);
        }
    }

    @Test
    void shouldRefuseWhenFullAndGoOnWhenThereIsRoom() {
        connect();
        int count = 0;
        while (put(new byte[] {(byte) count})) {
            count++;
        }
        assertTrue(lane.isRefused());
        assertTrue(count > InboxLayout.CELLS / InboxLayout.cells(1) - 8, () -> "full early");
        assertFalse(put(new byte[1]), "full");
        for (int i = 0; i < count; i++) {
            assertArrayEquals(new byte[] {(byte) i}, take());
        }
        assertFalse(inbox.next());
        assertFalse(put(new byte[1]), "nobody told that there is room");
        inbox.settle();
        assertTrue(put(new byte[LARGEST]));
        assertFalse(lane.isRefused());
        assertEquals(LARGEST, take().length);
    }

    @Test
    void shouldNotBelieveThatMoreIsFreeThanWasSentNorThatLessIsThanBefore() {
        connect();
        while (put(new byte[500])) {
            assertFalse(lane.isRefused());
        }
        for (long wrong : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 1L << 40}) {
            inbox.memory().set(ValueLayout.JAVA_LONG, InboxLayout.CONSUMED_AT, wrong);
            assertFalse(put(new byte[500]), () -> "believes " + wrong);
        }
    }

    @Test
    void shouldBreakOverLengthsAndKindsThatCannotBe() {
        int[][] wrong = {{0, (1 << 24) - 1}, {0, (int) InboxLayout.BYTES}, {4, 10}, {255, 10}, {1, 10}};
        for (int[] one : wrong) {
            try (SharedFile file = theirs.create("one", InboxLayout.BYTES)) {
                Inbox victim = new Inbox(file, 9);
                SharedPair.forge(file.memory(), one[0], one[1], new byte[10]);
                assertTrue(victim.hasNews());
                assertFalse(victim.next(), () -> Arrays.toString(one));
                assertTrue(victim.isBroken(), () -> Arrays.toString(one));
            }
        }
    }

    @Test
    void shouldTellWhatIsAllowed() {
        connect();
        assertFalse(lane.isOpen());
        inbox.tell(true, 6, 44);
        assertTrue(lane.isOpen());
        assertTrue(lane.accepts(2));
        assertFalse(lane.accepts(1));
        assertEquals(44, lane.domain());
        lane.firstPsn(FIRST_PSN + 1);
        assertFalse(lane.accepts(2), "not in step");
        lane.enterMemory();
        assertTrue(inbox.isPeerBusy());
        lane.leaveMemory();
        assertFalse(inbox.isPeerBusy());
        inbox.tell(false, 0, 0);
        assertFalse(lane.isOpen());
        theirs.abandon();
        inbox.tell(true, 6, 44);
        assertTrue(peer.findGone());
        assertFalse(lane.isOpen(), "a dead peer's memory");
    }

    private void putShort(byte[] payload, int psn, boolean solicited) {
        int at = lane.claim(payload.length);
        MemorySegment.copy(payload, 0, lane.memory(), ValueLayout.JAVA_BYTE, at, payload.length);
        lane.sendShort(at, payload.length, psn, solicited);
    }

    private void takeShort(byte[] payload, int psn, boolean solicited) {
        assertTrue(inbox.next());
        assertTrue(inbox.isShort());
        assertEquals(psn, inbox.psn());
        assertEquals(solicited, inbox.isSolicited());
        assertArrayEquals(
                payload,
                inbox.memory().asSlice(inbox.packetAt(), inbox.packetBytes()).toArray(ValueLayout.JAVA_BYTE));
        inbox.release();
    }

    private int takeAcknowledgement() {
        inbox.lookAtAcknowledgement();
        return inbox.takeAcknowledgement();
    }

    @Test
    void shouldCarryAnAcknowledgementWithAShortMessage() {
        connect();
        assertTrue(lane.isAttached());
        putShort(new byte[] {1, 2, 3}, LAST_PSN, true);
        takeShort(new byte[] {1, 2, 3}, LAST_PSN, true);
        assertEquals(-1, inbox.takeCarried(), "nothing was owed");
        for (int psn : new int[] {0, 7, LAST_PSN}) {
            lane.owe(psn);
            assertTrue(lane.owes());
            putShort(new byte[0], psn, false);
            assertFalse(lane.owes());
            putShort(new byte[40], psn, false);
            takeShort(new byte[0], psn, false);
            takeShort(new byte[40], psn, false);
            assertTrue(inbox.hasNews(), "though all packets are taken");
            assertEquals(psn, inbox.takeCarried());
            assertEquals(-1, inbox.takeCarried());
            assertFalse(inbox.hasNews());
            assertEquals(-1, takeAcknowledgement(), "it was told once");
        }
    }

    @Test
    void shouldTellWhatIsOwedWithoutAMessage() {
        connect();
        for (int psn : new int[] {0, 7, LAST_PSN}) {
            lane.owe(psn);
            lane.settle();
            assertFalse(lane.owes());
            assertTrue(inbox.hasNews());
            assertEquals(psn, takeAcknowledgement());
            assertEquals(-1, takeAcknowledgement());
            assertFalse(inbox.hasNews());
        }
    }

    /// As after all PSNs were acknowledged once, with messages.
    @Test
    void shouldHearOfTheSamePsnAgain() {
        connect();
        for (int round = 0; round < 300; round++) {
            lane.acknowledge(7);
            assertTrue(inbox.hasNews());
            assertEquals(7, takeAcknowledgement());
            lane.owe(6);
            putShort(new byte[8], 1, false);
            takeShort(new byte[8], 1, false);
            assertEquals(6, inbox.takeCarried());
            inbox.settle();
        }
    }

    @Test
    void shouldNotBelieveAnAcknowledgementBeforeThePacketsInFrontOfIt() {
        connect();
        assertTrue(put(new byte[10]));
        lane.acknowledge(7);
        for (int i = 0; i < 100; i++) {
            assertEquals(-1, takeAcknowledgement());
        }
        assertEquals(10, take().length);
        assertEquals(7, takeAcknowledgement());
    }
}
