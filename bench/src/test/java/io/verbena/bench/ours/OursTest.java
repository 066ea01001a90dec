package io.verbena.bench.ours;

import static io.verbena.bench.side.Measurement.roundTrip;
import static io.verbena.bench.side.Measurement.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.bench.pair.Events;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Kind;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.TinyRun;
import io.verbena.soft.engine.Counter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Tag("slow")
class OursTest {
    private static final int LARGEST = 65536;
    private static final List<Measurement> ALL = List.of(
            roundTrip(Operation.SEND, 64).withRead(),
            roundTrip(Operation.SEND, 64),
            roundTrip(Operation.SEND, LARGEST).withRead(),
            stream(Operation.SEND, 64).withRead(),
            stream(Operation.SEND, LARGEST).withRead(),
            roundTrip(Operation.WRITE, 64),
            roundTrip(Operation.WRITE, 4096),
            stream(Operation.WRITE, LARGEST),
            roundTrip(Operation.READ, 4096),
            stream(Operation.READ, LARGEST),
            roundTrip(Operation.FETCH_ADD, 8),
            stream(Operation.FETCH_ADD, 8),
            roundTrip(Operation.SEND, 64).withRead().blocking(),
            roundTrip(Operation.SEND, 64).withRead().blocking().ofKind(Kind.PACED),
            roundTrip(Operation.SEND, 8).withRead());

    @Test
    void shouldMeasureEveryOperationOverUdp() throws Exception {
        TinyRun.of(Ours.udp(LARGEST, Network.LOOPBACK), ALL);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMeasureEveryOperationOverSharedMemory() throws Exception {
        TinyRun.of(Ours.shared(LARGEST), ALL);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMeasureConnectionsOfTheEndpoint() throws Exception {
        List<Measurement> shorts = List.of(
                roundTrip(Operation.SEND, 64).withRead(),
                stream(Operation.SEND, 64).withRead());
        TinyRun.of(Ours.endpointShared(Names.ENDPOINT_EVENTS, EndpointEventSide.class), shorts);
        TinyRun.of(Ours.endpointShared(Names.ENDPOINT_SERVE, EndpointServeSide.class), shorts);
        List<Measurement> all = new ArrayList<>(shorts);
        all.add(stream(Operation.SEND, LARGEST));
        TinyRun.of(Ours.endpointShared(Names.ENDPOINT_SHARED, EndpointSide.class), all);
        TinyRun.of(Ours.endpointUdp(Network.LOOPBACK), all);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMeasureMixedDevices() throws Exception {
        List<Measurement> sends = List.of(roundTrip(Operation.SEND, 64).withRead());
        TinyRun.of(Ours.mixed(Names.MIXED_OWN_QUEUE, SideSetup.NeighbourSetup.OWN_QUEUE), sends);
        TinyRun.of(Ours.mixed(Names.MIXED_ONE_QUEUE, SideSetup.NeighbourSetup.ONE_QUEUE), sends);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldWriteWithTwoThreads() throws Exception {
        TinyRun.of(Ours.twoThreads(LARGEST), List.of(stream(Operation.WRITE, LARGEST)));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldMeasureWithANamedCollector() throws Exception {
        TinyRun.of(
                Ours.collector(Names.SERIAL, "-XX:+UseSerialGC"),
                List.of(roundTrip(Operation.SEND, 64).withRead()));
    }

    @Test
    void shouldDriveTwoConnectionsWithOneThreadAndWithTwo() throws Exception {
        List<Measurement> sends = List.of(stream(Operation.SEND, 64).withRead());
        TinyRun.of(Ours.udpThreads(Names.UDP_ONE_THREAD, 1, true), sends);
        TinyRun.of(Ours.udpThreads(Names.UDP_TWO_THREADS, 2, true), sends);
        TinyRun.of(Ours.udpThreads(Names.UDP_OWN_DEVICES, 2, false), sends);
    }

    @Test
    void shouldReportEventsPerSecondByTheNamesOfTheDevice() {
        Events events = new Events(Map.of("takeovers by the device's thread", 3L, Events.INTERRUPTS, 100L));
        Map<String, Double> rates = CountedEvents.perSecond(events, 0.5);
        assertEquals(CountedEvents.NAMES, List.copyOf(rates.keySet()));
        assertEquals(6, rates.get("takeovers by the device's thread"));
        assertEquals(200, rates.get(Events.INTERRUPTS));
        Set<String> known = Arrays.stream(Counter.values()).map(Counter::label).collect(Collectors.toSet());
        known.addAll(List.of(
                "times a waiting thread slept",
                "times the engine's lock changed hands",
                Events.PREEMPTIONS,
                Events.INTERRUPTS));
        assertTrue(known.containsAll(CountedEvents.NAMES), CountedEvents.NAMES.toString());
    }

    @Test
    void shouldKeepASetupInArguments() {
        SideSetup setup = SideSetup.pure("127.1.2.3", 64, true)
                .withThreads(2)
                .with(SideSetup.NeighbourSetup.ONE_QUEUE, "127.1.2.4");
        assertEquals(setup, SideSetup.parse(setup.toArguments()));
        SideSetup pure = SideSetup.pure("127.1.2.3", 64, false);
        assertEquals(pure, SideSetup.parse(pure.toArguments()));
    }

    @Test
    void shouldBelieveInSharedMemoryOnlyWhenMessagesWereCounted() {
        assertTrue(SharedMemory.isUsed("packets sent=3;messages over shared memory=16;"));
        assertFalse(SharedMemory.isUsed("packets sent=3;messages over shared memory=0;"));
        assertFalse(SharedMemory.isUsed("packets sent=3;"));
        assertFalse(SharedMemory.isUsed(""));
    }

    @Test
    void shouldNoticeWhenAMessageIsNotWhatWasSent() {
        Payload payload = new Payload(4096);
        MemorySegment memory = Arena.ofAuto().allocate(8192, 8);
        for (int size : new int[] {8, 64, 100, 4096}) {
            payload.write(memory, 128, size);
            payload.check(memory, 128, size);
            memory.set(ValueLayout.JAVA_BYTE, 128 + size - 1, (byte) 0x55);
            assertThrows(IllegalStateException.class, () -> payload.check(memory, 128, size));
        }
    }
}
