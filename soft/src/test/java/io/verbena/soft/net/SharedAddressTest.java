package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.mad.ServiceId;
import io.verbena.soft.option.Offload;
import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.shard.SharedAddress;
import io.verbena.soft.shard.SocketOpener;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which of the wires of one address gets a packet: the kernel decides. Wires of one process share an address as those
/// of several processes do.
@EnabledOnOs(OS.LINUX)
class SharedAddressTest {
    private static final long SEED = Long.getLong("verbena.test.seed", System.nanoTime());
    private static final int SHARDS = 64;
    private static final int QP_AT = 4;
    private static final int ATTRIBUTE_AT = 36;
    private static final int FIRST_ID_AT = 44;
    private static final int SECOND_ID_AT = 48;
    private static final int SERVICE_AT = 52;
    private static final int MAD_BYTES = 280;
    /// How many ports those that are not the default shard can listen on together.
    private static final int MOST = 800;

    private static final int MORE = 900;
    private static final long LONGEST_CHANGE_NS = 10_000_000_000L;

    private final InetAddress here = Loopback.next();
    private final List<LinuxWire> wires = new ArrayList<>();
    private LinuxWire sender = new LinuxWire(Loopback.next(), 4096, Offload.ALL);
    private InetAddress address = here;

    @AfterEach
    void close() {
        wires.forEach(Wire::close);
        sender.close();
    }

    @AfterAll
    static void releaseLoopback() throws IOException {
        Loopback.releaseSix();
    }

    private SharedAddress open() {
        LinuxWire wire = new LinuxWire(address, 4096, Offload.ALL);
        wires.add(wire);
        return wire.sharedAddress();
    }

    private void send(byte[] frame) {
        int offset = sender.claim();
        sender.sendBytes().put(offset, frame);
        Gid to = Gid.of(address);
        sender.commit(offset, frame.length, to.high(), to.low(), Traffic.DEFAULT);
        sender.flush();
    }

    private static byte[] packet(int qpNumber) {
        return ByteBuffer.allocate(64).putInt(QP_AT, qpNumber).array();
    }

    private static ByteBuffer message(int attribute) {
        return ByteBuffer.allocate(MAD_BYTES).putInt(QP_AT, 1).putShort(ATTRIBUTE_AT, (short) attribute);
    }

    /// The one wire that has something, by its place in the list.
    private int receiver() {
        int found = -1;
        for (int i = 0; i < 100 && found < 0; i++) {
            found = poll();
        }
        return found;
    }

    private int poll() {
        int found = -1;
        for (int i = 0; i < wires.size(); i++) {
            Frames frames = new Frames();
            if (wires.get(i).receive(frames, 64) > 0) {
                assertEquals(-1, found, "more than one wire got something");
                found = i;
            }
        }
        return found;
    }

    private int receiverOf(byte[] frame) {
        send(frame);
        return receiver();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDeliverPacketsToTheShardOfTheirQueuePair(boolean ipv4) throws IOException {
        if (!ipv4) {
            sender.close();
            sender = new LinuxWire(Loopback.six(), 4096, Offload.ALL);
            address = Loopback.six();
        }
        for (int i = 0; i < 5; i++) {
            open();
        }
        Random random = new Random(SEED);
        System.out.println("seed " + SEED);
        for (int i = 0; i < 500; i++) {
            int wire = random.nextInt(wires.size());
            int number = wires.get(wire).sharedAddress().numbers().nextQueuePair();
            if (number > 1) {
                assertEquals(wire, receiverOf(packet(number)), () -> "QP 0x%x".formatted(number));
            }
        }
    }

    @Test
    void shouldDeliverToTheFirstWhatBelongsToNobody() {
        open();
        SharedAddress gone = open();
        int number = gone.numbers().nextQueuePair();
        assertEquals(1, receiverOf(packet(number)));
        wires.removeLast().close();
        assertEquals(0, receiverOf(packet(number)));
        assertEquals(0, receiverOf(packet(0xFF_FFFE)));
        assertEquals(0, receiverOf(message(0x15).putInt(SECOND_ID_AT, -1).array()));
    }

    @Test
    void shouldDeliverMessagesByTheIdentifierOfTheirReceiver() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5; i++) {
            open();
        }
        for (int i = 0; i < wires.size(); i++) {
            int id = wires.get(i).sharedAddress().numbers().nextCommunicationId(random);
            for (int attribute : new int[] {0x11, 0x12, 0x13, 0x14, 0x15, 0x16}) {
                byte[] message = message(attribute).putInt(SECOND_ID_AT, id).array();
                assertEquals(i, receiverOf(message), () -> "attribute 0x%x".formatted(attribute));
            }
            assertEquals(i, receiverOf(message(0x18).putInt(FIRST_ID_AT, id).array()), "SIDR_REP");
        }
    }

    @Test
    void shouldDeliverRequestsToWhoListens() {
        for (int i = 0; i < 4; i++) {
            open();
        }
        long[] services = new long[wires.size()];
        for (int i = 0; i < wires.size(); i++) {
            services[i] = ServiceId.of(i % 2 == 0 ? ServiceId.TCP : ServiceId.UDP, 7000 + i / 2);
            assertTrue(wires.get(i).sharedAddress().listen(services[i]));
        }
        for (int i = 0; i < wires.size(); i++) {
            for (int attribute : new int[] {0x10, 0x17}) {
                byte[] message =
                        message(attribute).putLong(SERVICE_AT, services[i]).array();
                assertEquals(i, receiverOf(message));
            }
        }
    }

    /// It knows what became of requests that are repeated.
    @Test
    void shouldGoOnDeliveringRequestsToWhoListenedUntilAnotherDoes() {
        for (int i = 0; i < 3; i++) {
            open();
        }
        long service = ServiceId.of(ServiceId.TCP, 7471);
        byte[] request = message(0x10).putLong(SERVICE_AT, service).array();
        assertTrue(wires.get(0).sharedAddress().listen(service + 1));
        assertTrue(wires.get(0).sharedAddress().listen(service + 2));
        assertEquals(0, receiverOf(request), "the one that listens most");
        assertTrue(wires.get(2).sharedAddress().listen(service));
        wires.get(2).sharedAddress().stopListening(service);
        assertTrue(wires.get(1).sharedAddress().isFree(service));
        assertEquals(2, receiverOf(request));
        assertTrue(wires.get(1).sharedAddress().listen(service));
        assertEquals(1, receiverOf(request));
        wires.remove(1).close();
        assertEquals(0, receiverOf(request));
    }

    /// Those of peers that gave up before they got an answer.
    @Test
    void shouldDeliverMessagesWithoutIdentifierToTheOneThatListensMost() {
        for (int i = 0; i < 3; i++) {
            open();
        }
        byte[] rejection = message(0x12).array();
        assertEquals(0, receiverOf(rejection));
        assertTrue(wires.get(1).sharedAddress().listen(ServiceId.of(ServiceId.TCP, 7471)));
        assertEquals(1, receiverOf(rejection));
    }

    @Test
    void shouldNotCountListenersThatHaveStopped() {
        SharedAddress first = open();
        SharedAddress second = open();
        long service = ServiceId.of(ServiceId.TCP, 0);
        for (int port = 1000; port < 1000 + MORE; port++) {
            assertTrue(first.listen(service + port));
            first.stopListening(service + port);
        }
        for (int port = 3000; port < 3000 + MORE; port++) {
            assertTrue(second.listen(service + port));
        }
    }

    @Test
    void shouldGoOnDeliveringToWhoListenedWhenAnotherFailsToListen() {
        SharedAddress first = open();
        SharedAddress second = open();
        SharedAddress third = open();
        long service = ServiceId.of(ServiceId.TCP, 0);
        assertTrue(first.listen(service + 7471));
        first.stopListening(service + 7471);
        for (int port = 1000; port < 1000 + MORE; port++) {
            assertTrue(third.listen(service + port));
        }
        for (int port = 3000; port < 3000 + MOST; port++) {
            assertTrue(second.listen(service + port));
        }
        assertEquals(
                Errno.ENOMEM,
                assertThrows(RdmaException.class, () -> second.listen(service + 7471))
                        .errno());
        assertTrue(second.isFree(service + 7471));
        second.stopListening(service + 3000);
        second.stopListening(service + 3001);
        assertTrue(second.listen(service + 3000 + MOST)); // which makes a new program
        byte[] request = message(0x10).putLong(SERVICE_AT, service + 7471).array();
        assertEquals(0, receiverOf(request));
    }

    @Test
    void shouldNotTouchUnmappedMemoryOnceClosed() {
        SharedAddress closed = open();
        wires.removeLast().close();
        System.gc();
        assertTrue(closed.holders().isEmpty());
        assertTrue(closed.mayCoalesce());
        assertTrue(closed.numbers().nextQueuePair() >= 0);
    }

    @Test
    void shouldTakeTrainsWholeAtALoopbackAddressWhoeverElseIsThere() {
        SharedAddress first = open();
        SharedAddress second = open();
        assertTrue(first.coalesce(true));
        assertEquals(3, received(1, second), "the other shard takes packets one by one");
        open();
        assertTrue(first.mayCoalesce(), "another one more changes nothing");
    }

    /// A network may bring packets of different shards, which the kernel would join.
    @Test
    void shouldJoinPacketsOnlyWhileNobodyElseHasTheAddress() {
        try (SharedAddress first = ofNetwork()) {
            assertTrue(coalesces(first));
            try (SharedAddress second = ofNetwork()) {
                assertFalse(first.coalesce(true));
                assertFalse(second.coalesce(true));
            }
            assertTrue(coalesces(first));
        }
    }

    /// Tries again while the thread of the door, which noticed that somebody came or left, has the table locked.
    private static boolean coalesces(SharedAddress address) {
        long startNs = System.nanoTime();
        while (!address.coalesce(true)) {
            if (System.nanoTime() - startNs > LONGEST_CHANGE_NS) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /// The name decides what is done, and the sockets are those of a loopback address.
    private SharedAddress ofNetwork() {
        String name = "192.0.2." + (here.getAddress()[3] & 0xFF);
        return SharedAddress.open(name, LinuxSocket.shared(here, new SocketAddresses(here)), new Random(SEED));
    }

    @Test
    void shouldClaimFurtherShardsForTheSameDevice() {
        SharedAddress first = open();
        try (SharedAddress second = first.another(new Random(SEED))) {
            assertEquals(2, first.holders().size());
            assertEquals(
                    Set.of(ProcessHandle.current().pid()),
                    Set.copyOf(first.holders().values()));
            wires.removeLast().close();
            assertEquals(1, second.holders().size());
        }
        open();
        assertEquals(1, wires.getLast().sharedAddress().holders().size());
    }

    /// How many frames of a train of three come.
    private int received(int wire, SharedAddress to) {
        int number = to.numbers().nextQueuePair();
        Gid gid = Gid.of(address);
        for (int i = 0; i < 3; i++) {
            int offset = sender.claim();
            sender.sendBytes().put(offset, packet(number));
            sender.identify(64, gid.high(), gid.low(), Traffic.DEFAULT);
            sender.commit(offset, 64, gid.high(), gid.low(), Traffic.DEFAULT);
        }
        sender.flush();
        Frames frames = new Frames();
        frames.await(wires.get(wire), 3);
        return frames.received.size();
    }

    @Test
    void shouldLetOneListenOnAPort() {
        SharedAddress first = open();
        SharedAddress second = open();
        long service = ServiceId.of(ServiceId.TCP, 7471);
        assertTrue(first.listen(service));
        assertTrue(first.isFree(service));
        assertFalse(second.isFree(service));
        assertFalse(second.listen(service));
        second.stopListening(service);
        assertFalse(second.listen(service));
        first.stopListening(service);
        assertTrue(second.listen(service));
        wires.removeLast().close();
        assertTrue(first.listen(service));
    }

    @Test
    void shouldGoOnWhenTheFirstCloses() {
        for (int i = 0; i < 3; i++) {
            open();
        }
        int number = wires.get(2).sharedAddress().numbers().nextQueuePair();
        wires.removeFirst().close();
        assertEquals(1, receiverOf(packet(number)));
        SharedAddress later = open();
        assertEquals(2, receiverOf(packet(later.numbers().nextQueuePair())));
        assertEquals(1, receiverOf(packet(number)));
    }

    @Test
    void shouldGiveNoNumberTwiceToDevicesThatFollowEachOther() {
        SharedAddress first = open();
        Set<Integer> given = new HashSet<>();
        for (int round = 0; round < 3 * SHARDS; round++) {
            SharedAddress next = open();
            for (int i = 0; i < 10; i++) {
                int number = next.numbers().nextQueuePair();
                assertTrue(given.add(number), () -> "0x%x came again".formatted(number));
            }
            wires.removeLast().close();
        }
        assertFalse(given.contains(first.numbers().nextQueuePair()));
    }

    @Test
    void shouldLeaveNothingOfTheLastHolderInASocket() {
        for (int i = 0; i < SHARDS; i++) {
            open();
        }
        LinuxWire last = wires.removeLast();
        send(packet(last.sharedAddress().numbers().nextQueuePair()));
        last.close();
        open();
        assertEquals(-1, receiver());
    }

    @Test
    void shouldRefuseMoreThanTheSocketsOfAnAddress() {
        for (int i = 0; i < SHARDS; i++) {
            open();
        }
        RdmaException refused = assertThrows(RdmaException.class, this::open);
        assertEquals(Errno.EBUSY, refused.errno());
        assertTrue(refused.getMessage().contains("close some, or use another address"), refused.getMessage());
        wires.removeFirst().close();
        open();
    }

    @Test
    void shouldFreeTheAddressWithTheLast() {
        open();
        open();
        // The system's list leaves some out while other sockets come and go.
        assertEquals(SocketOpener.Bound.SEVERAL, PortOwner.bound(here, DescriptorCalls.user()));
        close();
        wires.clear();
        new LinuxWire(here, 4096, Offload.ALL).close();
        assertEquals(SocketOpener.Bound.AT_MOST_ONE, PortOwner.bound(here, DescriptorCalls.user()));
    }

    /// Its sockets are closed one by one, which takes long on a slow machine.
    @Test
    void shouldWaitForTheLastSocketOfAProcessThatEnds() {
        SocketOpener real = LinuxSocket.shared(here, new SocketAddresses(here));
        SocketOpener whileOneEnds = new SocketOpener() {
            private static final int LOOKS = 200;
            private int looks;

            @Override
            public int openFirst() {
                return ++looks <= LOOKS ? -Errno.EADDRINUSE.number() : real.openFirst();
            }

            @Override
            public Bound bound() {
                return looks < LOOKS ? Bound.SEVERAL : Bound.AT_MOST_ONE;
            }

            @Override
            public int openNext() {
                return real.openNext();
            }
        };
        try (SharedAddress opened = SharedAddress.open(AddressText.of(here), whileOneEnds, new Random(SEED))) {
            assertNotNull(opened);
        }
    }
}
