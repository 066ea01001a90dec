package io.verbena.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.verbena.soft.fabric.OpenObjects;
import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fault.Fault;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/// The extension, seen from outside: tests that fail and pass on purpose.
class RdmaExtensionTest {
    /// Tests here have seeds of their own, whatever the run was given.
    private final String seedOfThisRun = System.clearProperty(Seed.PROPERTY);

    private static final List<Object> SEEN = new ArrayList<>();

    private static boolean isWanted;

    /// Whether a test below runs [Subject], whose tests fail on purpose: a run of all tests skips it.
    static boolean isWanted() {
        return isWanted;
    }

    /// Tests that pass, fail or leave something open, as the tests below want it.
    @RdmaTest
    @EnabledIf("io.verbena.junit.RdmaExtensionTest#isWanted")
    @Faults("loss=0.25")
    static class Subject {
        private SimulatedFabric before;

        @BeforeEach
        void take(SimulatedFabric network) {
            before = network;
        }

        @Test
        void passes(SimulatedFabric network, Seed seed) {
            assertSame(before, network);
            SEEN.add(network);
            SEEN.add(seed.value());
        }

        @Test
        void fails(SimulatedFabric network) {
            network.host("10.0.0.1").device().open();
            fail("on purpose");
        }

        @Test
        void leaves(SimulatedFabric network) {
            Context context = network.host("10.0.0.1").device().open();
            var pd = context.allocateProtectionDomain();
            pd.createQueuePair(QueuePairOptions.rc(context.createCompletionQueue(4)));
            network.host("10.0.0.2").connectionManager().createSynchronousId(PortSpace.TCP);
        }

        @Test
        void leavesThread(SimulatedFabric network) {
            network.start("server", () -> network.sleep(Duration.ofDays(1)));
        }

        @Test
        void ignoresThread(SimulatedFabric network) {
            network.start("server", () -> {
                throw new IllegalStateException("the server broke");
            });
        }

        @Test
        void leavesRealDevice(LoopbackDevices devices) {
            Context context = devices.open();
            InetAddress address = devices.address();
            SEEN.add(context.device());
            var id = Rdma.connectionManager().createSynchronousId(PortSpace.TCP);
            id.bind(new InetSocketAddress(address, 7471));
            SEEN.add(Rdma.device(address.getHostAddress()));
        }

        @Test
        void leavesDeviceOfItsOwn() {
            SEEN.add(openDeviceOfItsOwn().device());
        }

        @Test
        @Faults("loss=0.05")
        void forgetsReceive(SimulatedFabric network) {
            try (Context left = network.host("10.0.0.1").device().open();
                    Context right = network.host("10.0.0.2").device().open()) {
                sendWithoutReceive(left, right, Duration.ofMillis(200));
            }
        }

        @Test
        @Faults("loss=0")
        void forgetsReceiveOfRealDevice(LoopbackDevices devices) {
            try (Context left = devices.open();
                    Context right = devices.open()) {
                sendWithoutReceive(left, right, Duration.ofMillis(500));
            }
        }

        @Test
        void losesOnLinks(SimulatedFabric network) {
            sendDatagrams(network);
            SEEN.add(network.counters(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("10.0.0.2"))
                    .count(Fault.LOSS));
        }

        @Test
        @Faults("loss=0")
        void losesNothing(SimulatedFabric network) {
            losesOnLinks(network);
        }

        @Test
        @Faults("luck=1")
        void isMisspelt(SimulatedFabric network) {
            fail("not reached with " + network);
        }

        @Test
        void aborts(SimulatedFabric network) {
            network.host("10.0.0.1").device().open();
            abort("on purpose");
        }

        private static void sendWithoutReceive(Context left, Context right, Duration limit) {
            try (var domain = left.allocateProtectionDomain();
                    var cq = left.createCompletionQueue(4);
                    var qp = domain.createQueuePair(QueuePairOptions.rc(cq));
                    var memory = domain.allocate(64, Access.LOCAL_WRITE);
                    var otherDomain = right.allocateProtectionDomain();
                    var otherCq = right.createCompletionQueue(4);
                    var otherQp = otherDomain.createQueuePair(QueuePairOptions.rc(otherCq))) {
                connect(qp, otherQp.number(), right.gid(1, 0));
                connect(otherQp, qp.number(), left.gid(1, 0));
                qp.post(qp.newSendRequest().send().from(memory, 0, 64).signaled());
                assertEquals(1, cq.poll(completion -> {}, 1, limit), "timeout");
            }
        }

        private static void connect(QueuePair qp, int peer, Gid address) {
            qp.modify(QueuePairChange.toInit());
            qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer, 0));
            qp.modify(QueuePairChange.toRts(0));
        }

        /// Requests to a host where nobody listens; most are repeated.
        /// Connection requests that are refused.
        private static void sendDatagrams(SimulatedFabric network) {
            var cm = network.host("10.0.0.1").connectionManager();
            try (Context silent = network.host("10.0.0.2").device().open()) {
                assertNotNull(silent);
                for (int i = 0; i < 50; i++) {
                    try (var id = cm.createEndpoint(
                            PortSpace.TCP, null, new InetSocketAddress("10.0.0.2", 7471), Duration.ofSeconds(1))) {
                        id.createQueuePair(QueuePairOptions.rc());
                        assertThrows(RuntimeException.class, () -> id.connect(ConnectionParameters.DEFAULT));
                    }
                }
            }
        }
    }

    /// Tests whose faults have nothing that they apply to.
    @EnabledIf("io.verbena.junit.RdmaExtensionTest#isWanted")
    static class WithoutNetwork {
        @Test
        @Faults("loss=0.25")
        void wantsFaults() {}

        @Test
        @Faults("loss=0.25")
        void takesSeedOnly(Seed seed) {
            SEEN.add(seed);
        }

        @Test
        @Faults("loss=0.25")
        void takesNetwork(SimulatedFabric network) {
            SEEN.add(network);
        }
    }

    @Faults("loss=0.25")
    @EnabledIf("io.verbena.junit.RdmaExtensionTest#isWanted")
    static class FaultyWithoutNetwork {
        @Test
        void wantsFaults() {}
    }

    @Faults("loss=0.25")
    @EnabledIf("io.verbena.junit.RdmaExtensionTest#isWanted")
    static class FaultyInPart {
        @Test
        void needsNoNetwork() {}

        @Test
        void takesNetwork(SimulatedFabric network) {
            SEEN.add(network);
        }
    }

    private static Context openDeviceOfItsOwn() {
        try (LoopbackAddress free = LoopbackAddress.reserve()) {
            return Rdma.openDevice(free.text());
        }
    }

    private static Events run(String method) {
        return run(Subject.class, method, false);
    }

    private static Events run(Class<?> type, String method, boolean isParallel) {
        SEEN.clear();
        Class<?>[] parameters = Arrays.stream(type.getDeclaredMethods())
                .filter(declared -> declared.getName().equals(method))
                .findFirst()
                .orElseThrow()
                .getParameterTypes();
        isWanted = true;
        try {
            return EngineTestKit.engine("junit-jupiter")
                    .selectors(selectMethod(type, method, parameters))
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", Boolean.toString(isParallel))
                    .execute()
                    .testEvents();
        } finally {
            isWanted = false;
        }
    }

    private static Throwable failureOf(String method) {
        return failureOf(Subject.class, method);
    }

    private static Throwable failureOf(Class<?> type, String method) {
        Events events = run(type, method, false);
        assertEquals(1, events.failed().count());
        return events.failed()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .findFirst()
                .orElseThrow()
                .getThrowable()
                .orElseThrow();
    }

    @AfterEach
    void setSeedAgain() {
        if (seedOfThisRun == null) {
            System.clearProperty(Seed.PROPERTY);
        } else {
            System.setProperty(Seed.PROPERTY, seedOfThisRun);
        }
    }

    private static String suppressed(Throwable failure) {
        return Arrays.toString(failure.getSuppressed());
    }

    @Test
    void shouldGiveEachTestANewNetworkAndANewSeed() {
        assertEquals(1, run("passes").succeeded().count());
        List<Object> first = List.copyOf(SEEN);
        assertEquals(1, run("passes").succeeded().count());
        assertNotSame(first.get(0), SEEN.get(0));
        assertNotEquals(first.get(1), SEEN.get(1));
    }

    @Test
    void shouldTakeTheSeedFromTheSystemProperty() {
        System.setProperty(Seed.PROPERTY, "4711");
        run("passes");
        assertEquals(4711L, SEEN.get(1));
    }

    @Test
    void shouldTellTheSeedOfATestThatFails() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true));
        Throwable failure;
        try {
            failure = failureOf("fails");
        } finally {
            System.setErr(before);
        }
        assertEquals("on purpose", failure.getMessage());
        assertTrue(printed.toString().contains("Subject.fails failed with seed "), printed::toString);
        assertTrue(printed.toString().contains("-D" + Seed.PROPERTY + "="), printed::toString);
        assertTrue(suppressed(failure).contains("-D" + Seed.PROPERTY + "="), () -> suppressed(failure));
        assertTrue(suppressed(failure).contains("left open: soft-10.0.0.1: 1 context"), () -> suppressed(failure));
    }

    @Test
    void shouldPublishTheSeedOfATestThatFails() {
        assertEquals(1, run("fails").reportingEntryPublished().count());
        assertEquals(0, run("passes").reportingEntryPublished().count());
    }

    @Test
    void shouldFailATestThatLeavesObjectsOpen() {
        String text = failureOf("leaves").getMessage();
        assertTrue(text.contains("soft-10.0.0.1: 1 context"), text);
        assertTrue(text.contains("1 protection domain"), text);
        assertTrue(text.contains("1 queue pair"), text);
        assertTrue(text.contains("1 completion queue"), text);
        assertTrue(text.contains("soft-10.0.0.2: 1 connection id"), text);
    }

    @Test
    void shouldFailATestThatLeavesAThread() {
        String text = failureOf("leavesThread").getMessage();
        assertEquals("the test left open: thread server still runs", text);
    }

    @Test
    void shouldFailATestWhoseThreadFailedUnnoticed() {
        Throwable failure = failureOf("ignoresThread");
        assertEquals("the server broke", failure.getCause().getMessage());
    }

    @Test
    void shouldNameAndCloseWhatIsLeftOfRealDevices() {
        String text = failureOf("leavesRealDevice").getMessage();
        assertTrue(text.contains("soft-127."), text);
        assertTrue(text.contains("1 context"), text);
        assertTrue(text.contains("1 connection id"), text);
        for (Object device : SEEN) {
            assertEquals(List.of(), OpenObjects.of((Device) device));
        }
    }

    @Test
    void shouldNameAndCloseADeviceThatTheTestOpenedItself() {
        String text = failureOf("leavesDeviceOfItsOwn").getMessage();
        Device left = (Device) SEEN.getFirst();
        assertTrue(text.startsWith("the test left open: " + left.name() + ": 1 context"), text);
        assertEquals(List.of(), OpenObjects.of(left));
    }

    @Test
    void shouldLeaveADeviceAloneThatWasOpenBefore() {
        try (Context shared = openDeviceOfItsOwn()) {
            assertEquals(1, run("passes").succeeded().count());
            assertEquals(1, OpenObjects.of(shared.device()).size());
        }
    }

    @Test
    void shouldLeaveDevicesAloneThatMayBeOfAnotherTest() {
        assertEquals(
                1, run(Subject.class, "leavesDeviceOfItsOwn", true).succeeded().count());
        Device left = (Device) SEEN.getFirst();
        assertEquals(1, OpenObjects.of(left).size());
        OpenObjects.closeAll(left);
    }

    @Test
    void shouldTellWhenATestFailedWithoutAReceive() {
        System.setProperty(Seed.PROPERTY, "1"); // loses packets, but not so many that the sender gives up
        Throwable failure = failureOf("forgetsReceive");
        String text = suppressed(failure);
        assertTrue(failure.getMessage().startsWith("timeout"), failure.getMessage());
        assertTrue(
                Pattern.compile("soft-10\\.0\\.0\\.1: .*RNR NAKs received \\d+")
                        .matcher(text)
                        .find(),
                text);
        assertTrue(
                Pattern.compile("soft-10\\.0\\.0\\.2: .*RNR NAKs sent \\d+")
                        .matcher(text)
                        .find(),
                text);
        assertTrue(
                Pattern.compile("link 10\\.0\\.0\\.\\d to 10\\.0\\.0\\.\\d: \\d+ of \\d+ packets lost")
                        .matcher(text)
                        .find(),
                text);
        assertTrue(text.contains("no receive was posted when a message came"), text);
        assertFalse(text.contains("packets sent"), text);
    }

    @Test
    void shouldTellWhatRealDevicesCountedThatAreClosedByNow() {
        String text = suppressed(failureOf("forgetsReceiveOfRealDevice"));
        assertTrue(
                Pattern.compile("soft-127\\S+: .*RNR NAKs sent \\d+")
                        .matcher(text)
                        .find(),
                text);
        assertTrue(text.contains("no receive was posted when a message came"), text);
    }

    @Test
    void shouldRefuseFaultsOfATestThatHasNoNetwork() {
        for (String method : List.of("wantsFaults", "takesSeedOnly")) {
            String text = failureOf(WithoutNetwork.class, method).getMessage();
            assertTrue(text.startsWith("@Faults of " + method + " has no effect"), text);
            assertTrue(text.contains("take a SimulatedFabric or LoopbackDevices as a parameter"), text);
        }
        String text = failureOf(FaultyWithoutNetwork.class, "wantsFaults").getMessage();
        assertTrue(text.startsWith("@Faults of FaultyWithoutNetwork has no effect"), text);
        assertEquals(
                1, run(WithoutNetwork.class, "takesNetwork", false).succeeded().count());
    }

    @Test
    void shouldAllowATestWithoutNetworkInAClassWithFaults() {
        assertEquals(
                1, run(FaultyInPart.class, "needsNoNetwork", false).succeeded().count());
    }

    @Test
    void shouldApplyTheFaultsOfTheClassOrOfTheMethod() {
        System.setProperty(Seed.PROPERTY, "1");
        try {
            assertEquals(1, run("losesOnLinks").succeeded().count());
            assertNotEquals(0L, SEEN.getFirst());
            assertEquals(1, run("losesNothing").succeeded().count());
            assertEquals(0L, SEEN.getFirst());
        } finally {
            System.clearProperty(Seed.PROPERTY);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithFaults() {
        String text = failureOf("isMisspelt").getMessage();
        assertTrue(text.contains("@Faults of isMisspelt: luck=1: there is no such fault"), text);
    }

    @Test
    void shouldCloseWhatATestThatAbortsHasOpen() {
        assertEquals(1, run("aborts").aborted().count());
    }

    @Test
    void shouldHoldItsAddressesAgainstOthers() {
        Seed seed = new Seed(1);
        LoopbackDevices devices = new LoopbackDevices(FaultPlan.none(), seed);
        List<InetAddress> addresses = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            InetAddress address = devices.address();
            assertTrue(!addresses.contains(address), "twice");
            addresses.add(address);
        }
        assertEquals(List.of(), devices.openObjects());
        assertEquals(List.of(), devices.close());
    }
}
