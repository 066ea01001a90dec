package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.option.Offload;
import io.verbena.soft.os.DescriptorCalls;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.SocketCalls;
import io.verbena.verbs.attr.Gid;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames that are sent as one datagram arrive as committed, wherever the datagram is split.
@EnabledOnOs(OS.LINUX)
class TrainTest {
    private static final int SOL_SOCKET = 1;
    private static final int SO_NO_CHECK = 11;

    private final InetAddress here = Loopback.next();
    private final InetAddress there = Loopback.next();
    private final InetAddress elsewhere = Loopback.next();
    private final Frames frames = new Frames();
    private Wire sender;
    private Wire receiver;

    @BeforeEach
    void openWires() {
        sender = open(here, Offload.ALL);
        receiver = open(there, Offload.ALL);
        takeBurst();
    }

    /// After a burst the receiver turns GRO on.
    private void takeBurst() {
        Frames burst = new Frames();
        for (int i = 0; i < 2 * LinuxReceiver.BURST; i++) {
            Frames.commit(sender, there, i, 64);
        }
        assertTrue(sender.flush());
        burst.await(receiver, 2 * LinuxReceiver.BURST);
        assertEquals(2 * LinuxReceiver.BURST, burst.received.size());
    }

    @AfterEach
    void closeWires() {
        sender.close();
        receiver.close();
    }

    @AfterAll
    static void giveBackLoopback() throws IOException {
        Loopback.releaseSix();
    }

    private static Wire open(InetAddress local, Offload offload) {
        return new LinuxWire(local, 4096, offload);
    }

    /// Calls identify first, as [io.verbena.soft.engine.Transmitter] does.
    private static int commit(Wire wire, InetAddress to, int psn, int length, long traffic) {
        int offset = wire.claim();
        wire.sendBytes().put(offset, Frames.pattern(psn, length));
        Gid gid = Gid.of(to);
        int identification = wire.identify(length, gid.high(), gid.low(), traffic);
        wire.commit(offset, length, gid.high(), gid.low(), traffic);
        return identification;
    }

    private static int commit(Wire wire, InetAddress to, int psn, int length) {
        return commit(wire, to, psn, length, Traffic.DEFAULT);
    }

    private List<Integer> commitAll(int... lengths) {
        return IntStream.range(0, lengths.length)
                .mapToObj(i -> commit(sender, there, i, lengths[i]))
                .toList();
    }

    private void expect(int... lengths) {
        assertTrue(sender.flush());
        frames.await(receiver, lengths.length);
        assertEquals(lengths.length, frames.received.size());
        for (int i = 0; i < lengths.length; i++) {
            assertArrayEquals(Frames.pattern(i, lengths[i]), frames.received.get(i), "frame " + i);
        }
        assertEquals(0, sender.sendFailures());
    }

    @Test
    void shouldPollPlainlyAgainAfterManySingleFramesAndTakeTheNextBurstTogether() {
        assertTrue(((LinuxWire) receiver).coalesces());
        takeSingle(LinuxReceiver.QUIET);
        assertEquals(0, receiver.receive(frames, 64));
        assertFalse(((LinuxWire) receiver).coalesces(), "after " + LinuxReceiver.QUIET + " single frames");
        takeBurst();
        assertTrue(((LinuxWire) receiver).coalesces(), "after a burst");
        commitAll(4112, 4112, 4112);
        expect(4112, 4112, 4112);
    }

    @Test
    void shouldWaitLongerWhenTheNextBurstCameSoon() {
        takeSingle(LinuxReceiver.QUIET);
        assertEquals(0, receiver.receive(frames, 64));
        takeBurst();
        takeSingle(LinuxReceiver.QUIET);
        assertEquals(0, receiver.receive(frames, 64));
        assertTrue(((LinuxWire) receiver).coalesces());
        takeSingle(LinuxReceiver.QUIET);
        assertEquals(0, receiver.receive(frames, 64));
        assertFalse(((LinuxWire) receiver).coalesces());
    }

    private void takeSingle(int count) {
        Frames singles = new Frames();
        for (int i = 1; i <= count; i++) {
            Frames.commit(sender, there, i, 64);
            assertTrue(sender.flush());
            singles.await(receiver, i);
        }
        assertEquals(count, singles.received.size());
    }

    @Test
    void shouldNumberTheFramesOfATrainFromZero() {
        assertEquals(List.of(0, 1, 2, 3), commitAll(4112, 4112, 4112, 4112));
        expect(4112, 4112, 4112, 4112);
    }

    @Test
    void shouldEndATrainWithAShorterFrame() {
        assertEquals(List.of(0, 1, 2, 0, 1), commitAll(1040, 1040, 77, 1040, 1040));
        expect(1040, 1040, 77, 1040, 1040);
    }

    @Test
    void shouldStartAnotherTrainWithALongerFrame() {
        int[] lengths = {4116, 4112, 4112, 4112, 4116, 4116, 4112, 20, 80, 20};
        assertEquals(List.of(0, 1, 0, 1, 0, 1, 2, 0, 0, 1), commitAll(lengths));
        expect(lengths);
    }

    @Test
    void shouldLeaveFramesAloneWhoseEndsAreNoFourBytesApart() {
        assertEquals(List.of(0, 0, 0, 0), commitAll(61, 61, 62, 63));
        expect(61, 61, 62, 63);
    }

    @Test
    void shouldNotPutMoreIntoATrainThanTheSystemTakes() {
        int[] small = IntStream.generate(() -> 64).limit(150).toArray();
        assertEquals(IntStream.range(0, 150).mapToObj(i -> i % 64).toList(), commitAll(small));
        expect(small);
    }

    @Test
    void shouldFillTheLongestDatagramButNotMore() {
        int[] long15 = IntStream.generate(() -> 4112).limit(40).toArray();
        assertEquals(IntStream.range(0, 40).mapToObj(i -> i % 15).toList(), commitAll(long15));
        expect(long15);
    }

    /// The receiver's system looks into them to find their process.
    @Test
    void shouldSendMessagesOfTheConnectionManagerOneByOne() {
        List<Integer> identifications = new ArrayList<>();
        Gid gid = Gid.of(there);
        for (int number : new int[] {1, 1, 0, 0, 1}) {
            int offset = sender.claim();
            sender.sendBytes().put(offset, Frames.pattern(1, 64)).putInt(offset + 4, number);
            identifications.add(sender.identify(64, gid.high(), gid.low(), Traffic.DEFAULT));
            sender.commit(offset, 64, gid.high(), gid.low(), Traffic.DEFAULT);
        }
        assertEquals(List.of(0, 0, 0, 1, 0), identifications);
    }

    /// They may be sockets of different processes.
    @Test
    void shouldKeepShardsOfTheReceiverApart() {
        List<Integer> identifications = new ArrayList<>();
        Gid gid = Gid.of(there);
        for (int shard : new int[] {0, 0, 1, 1, 0}) {
            int offset = sender.claim();
            sender.sendBytes().put(offset, Frames.pattern(1, 64)).putInt(offset + 4, shard << 18);
            identifications.add(sender.identify(64, gid.high(), gid.low(), Traffic.DEFAULT));
            sender.commit(offset, 64, gid.high(), gid.low(), Traffic.DEFAULT);
        }
        assertEquals(List.of(0, 1, 0, 1, 0), identifications);
    }

    @Test
    void shouldKeepDestinationsAndTrafficApart() {
        List<Integer> numbers = new ArrayList<>();
        try (Wire third = open(elsewhere, Offload.ALL)) {
            numbers.add(commit(sender, there, 0, 64));
            numbers.add(commit(sender, there, 1, 64));
            numbers.add(commit(sender, elsewhere, 0, 64));
            numbers.add(commit(sender, there, 2, 64));
            numbers.add(commit(sender, there, 3, 64, Traffic.of(8, 64, 0)));
            numbers.add(commit(sender, there, 4, 64, Traffic.of(8, 64, 0)));
            numbers.add(commit(sender, there, 5, 64, Traffic.of(8, 9, 0)));
            assertEquals(List.of(0, 1, 0, 0, 0, 1, 0), numbers);
            expect(64, 64, 64, 64, 64, 64);
            Frames others = new Frames();
            others.await(third, 1);
            assertEquals(List.of(0), others.psns());
        }
    }

    @Test
    void shouldSayTheTrafficOfEveryFrameOfATrain() {
        receiver.revealTraffic();
        long traffic = Traffic.of(0xB8, 7, 0);
        for (int i = 0; i < 3; i++) {
            commit(sender, there, i, 64, traffic);
        }
        expect(64, 64, 64);
        assertEquals(traffic, frames.traffic);
    }

    @Test
    void shouldLeaveAFrameAloneThatWasNotAskedFor() {
        assertEquals(0, commit(sender, there, 0, 64));
        Frames.commit(sender, there, 1, 64);
        assertEquals(1, commit(sender, there, 2, 64), "behind it others may travel");
        expect(64, 64, 64);
    }

    @Test
    void shouldLoseOnlyTheTrainThatCannotLeave() {
        InetAddress unreachable = Loopback.address("192.0.2.1");
        commit(sender, there, 0, 64);
        commit(sender, there, 1, 64);
        commit(sender, unreachable, 7, 64);
        commit(sender, unreachable, 8, 64);
        commit(sender, there, 2, 64);
        assertTrue(sender.flush());
        frames.await(receiver, 3);
        assertEquals(List.of(0, 1, 2), frames.psns());
        assertEquals(2, sender.sendFailures());
    }

    @Test
    void shouldTakeFramesTogetherFromTheFirstBurstOn() {
        receiver.close();
        receiver = open(there, Offload.ALL);
        commitAll(64, 64, 64, 64);
        assertTrue(sender.flush());
        assertEquals(1, receiver.receive(frames, 1));
        frames.await(receiver, 4);
        takeBurst();
        commitAll(64, 64, 64, 64);
        assertTrue(sender.flush());
        assertEquals(4, receiver.receive(frames, 1));
        assertEquals(List.of(0, 1, 2, 3, 0, 1, 2, 3), frames.psns());
    }

    @ParameterizedTest
    @EnumSource(Offload.class)
    void shouldArriveWhateverTheReceiverLeavesToTheSystem(Offload offload) {
        receiver.close();
        receiver = open(there, offload);
        takeBurst();
        int[] lengths = {4116, 4112, 4112, 1000, 64, 64, 20};
        commitAll(lengths);
        expect(lengths);
    }

    /// Without UDP checksums the system splits no trains, like for devices without checksum offload.
    @Test
    void shouldMakeNoMoreTrainsAfterTheSystemRefusedOne() {
        int fd = ((LinuxWire) sender).fd;
        assertEquals(0, LinuxWireCalls.setsockopt(fd, SOL_SOCKET, SO_NO_CHECK, 1));
        assertEquals(List.of(0, 1, 2), commitAll(64, 64, 64));
        assertTrue(sender.flush());
        assertEquals(3, sender.sendFailures());
        assertEquals(List.of(0, 0, 0), commitAll(64, 64, 64));
        assertTrue(sender.flush());
        frames.await(receiver, 3);
        assertEquals(List.of(0, 1, 2), frames.psns());
        assertEquals(3, sender.sendFailures());
    }

    @ParameterizedTest
    @EnumSource(
            value = Offload.class,
            names = {"NONE", "RECEIVE"})
    void shouldSendEveryFrameAloneWhenToldSo(Offload offload) {
        sender.close();
        sender = open(here, offload);
        assertEquals(List.of(0, 0, 0), commitAll(64, 64, 64));
        expect(64, 64, 64);
    }

    @Test
    void shouldSendEveryFrameAloneThroughFaults() {
        sender = new FaultyWire(sender, FaultPlan.parse("loss=0"), NanoClock.SYSTEM);
        assertEquals(List.of(0, 0, 0), commitAll(64, 64, 64));
        expect(64, 64, 64);
    }

    @Test
    void shouldCarryTrainsOverIpv6() {
        InetAddress six = Loopback.six();
        Frames own = new Frames();
        try (Wire wire = open(six, Offload.ALL)) {
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < 20; i++) {
                    commit(wire, six, 20 * round + i, 4112);
                }
                assertTrue(wire.flush());
                own.await(wire, 20 * round + 20);
            }
        }
        assertEquals(IntStream.range(0, 40).boxed().toList(), own.psns());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldCarryAnyMixtureInOrder(long seed) {
        Random random = new Random(seed);
        int psn = 0;
        for (int round = 0; round < 50; round++) {
            List<Integer> lengths = new ArrayList<>();
            int length = 12 + random.nextInt(4000);
            for (int claimed = sender.claim(); claimed >= 0 && random.nextInt(80) > 0; claimed = sender.claim()) {
                length = random.nextInt(8) > 0 ? length : 12 + random.nextInt(4000);
                commit(sender, there, psn + lengths.size(), length);
                lengths.add(length);
            }
            frames.received.clear();
            assertTrue(sender.flush());
            frames.await(receiver, lengths.size());
            assertEquals(lengths.size(), frames.received.size(), "seed " + seed + " round " + round);
            for (int i = 0; i < lengths.size(); i++) {
                assertArrayEquals(
                        Frames.pattern(psn + i, lengths.get(i)),
                        frames.received.get(i),
                        "seed " + seed + " round " + round + " frame " + i);
            }
            psn += lengths.size();
        }
    }

    /// The sender may choose any length for its frames.
    @ParameterizedTest
    @CsvSource({
        "12000, 5000, '4224, 4224, 2000'",
        "8448, 4224, '4224, 4224'",
        "10, 3, '3, 3, 3, 1'",
        "64, 1, ''",
    })
    void shouldHandOverTheFramesOfAForeignTrainCutToFrameLength(int bytes, int frameBytes, String expected) {
        sendForeignTrain(bytes, frameBytes);
        Frames.send(sender, there, 7, 64);
        int count = (bytes + frameBytes - 1) / frameBytes;
        frames.await(receiver, count + 1);
        List<Integer> lengths =
                frames.received.stream().map(frame -> frame.length).toList();
        assertEquals(count + 1, lengths.size());
        assertEquals(64, lengths.getLast());
        if (!expected.isEmpty()) {
            assertEquals("[" + expected + ", 64]", lengths.toString());
        }
    }

    private void sendForeignTrain(int bytes, int frameBytes) {
        SocketAddresses addresses = new SocketAddresses(there);
        MemorySegment data = Arena.ofAuto().allocate(bytes);
        MessageHeaders headers = new MessageHeaders(1, addresses, Wires.PORT);
        Gid gid = Gid.of(there);
        addresses.write(headers.names(), 0, gid.high(), gid.low(), 0);
        headers.buffer(0, data.address(), bytes);
        ControlData.writeFrames(headers.controls(), 0, frameBytes);
        headers.controlLength(0, ControlData.FRAMES_BYTES);
        int fd = SocketCalls.socket(addresses.family(), 2, 17);
        try {
            assertEquals(bytes, LinuxWireCalls.sendmsg(fd, headers.header(0), 0));
        } finally {
            DescriptorCalls.close(fd);
        }
    }

    @Test
    void shouldAllocateNothingForTrains() {
        FrameHandler nothing = frame -> {};
        Gid to = Gid.of(there);
        for (int i = 0; i < 4; i++) {
            pump(nothing, to, 50_000);
        }
        long before = AllocatedBytes.now();
        pump(nothing, to, 100_000);
        long bytes = AllocatedBytes.now() - before;
        assertTrue(bytes < 4096, bytes + " bytes for 100000 frames");
    }

    private void pump(FrameHandler handler, Gid to, int count) {
        for (int sent = 0, received = 0; received < count; received += receiver.receive(handler, 64)) {
            for (int batch = 1 + sent % 40; batch > 0 && sent < count; batch--) {
                int length = sent % 7 == 0 ? 60 : 64;
                int offset = sender.claim();
                sender.identify(length, to.high(), to.low(), Traffic.DEFAULT);
                sender.commit(offset, length, to.high(), to.low(), Traffic.DEFAULT);
                sent++;
            }
            sender.flush();
        }
    }
}
