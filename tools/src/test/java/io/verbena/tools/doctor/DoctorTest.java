package io.verbena.tools.doctor;

import static io.verbena.tools.doctor.Level.OK;
import static io.verbena.tools.doctor.Level.PROBLEM;
import static io.verbena.tools.doctor.Level.WARNING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.status.StatusDirectory;
import io.verbena.tools.CommandRun;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import io.verbena.verbs.spi.RdmaProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each check on a machine made up for it, and the command on the real one.
class DoctorTest {
    @TempDir
    private Path root;

    private MadeUpMachine here;

    @BeforeEach
    void makeUp() throws IOException {
        here = new MadeUpMachine(root);
    }

    private Finding only(Check check) {
        List<Finding> findings = here.look(check);
        assertEquals(1, findings.size(), findings.toString());
        return findings.getFirst();
    }

    private static void assertFound(Finding finding, Level level, String found, String remedy) {
        assertEquals(level, finding.level(), finding.toString());
        assertTrue(finding.found().contains(found), finding.toString());
        assertTrue(finding.remedy().contains(remedy), finding.toString());
        assertTrue(level == OK || !finding.remedy().isBlank(), "a remedy for " + finding);
    }

    @Test
    void shouldWantJava25AndNativeAccess() {
        List<Finding> old = here.look(new JavaCheck(Runtime.Version.parse("21.0.2"), List.of("io.verbena.soft")));
        assertFound(old.get(0), PROBLEM, "21.0.2", "openjdk-25");
        assertFound(old.get(1), WARNING, "io.verbena.soft", "--enable-native-access=io.verbena.soft");
        List<Finding> good = here.look(new JavaCheck(Runtime.Version.parse("25.0.1"), List.of()));
        assertTrue(good.stream().allMatch(finding -> finding.level() == OK), good.toString());
    }

    @Test
    void shouldWarnOfASingleProcessor() {
        assertFound(only(new ProcessorCheck(1)), WARNING, "only one", "two processors");
        assertFound(only(new ProcessorCheck(2)), OK, "2", "");
    }

    @Test
    void shouldTryAnotherLoopbackAddressBeforeItCallsItAProblem() throws IOException {
        assertFound(only(softDevice(address -> refuse(address.equals("127.0.0.1")), false)), OK, "127.0.0.2", "");
        assertFound(only(softDevice(_ -> refuse(true), false)), PROBLEM, "port is taken", "ss -lunp");
        here.folder("sys/module/rdma_rxe");
        Finding behindKernel = only(softDevice(_ -> refuse(true), true));
        assertFound(behindKernel, WARNING, "port is taken", "--device native");
        assertFalse(behindKernel.found().contains("stop it"), "one remedy is enough");
    }

    @Test
    void shouldPassOnWhatToSetInPlaceOfAWrongProperty() {
        Consumer<String> bogus = _ -> {
            throw new RdmaException(
                    "open soft device",
                    Errno.EINVAL,
                    "system property verbena.soft.path: bogus; say auto, udp or shared");
        };
        Finding finding = only(softDevice(bogus, false));
        assertFound(finding, PROBLEM, "verbena.soft.path: bogus", "say auto, udp or shared");
        assertEquals("say auto, udp or shared", finding.remedy(), "and no other remedy");
    }

    @Test
    void shouldPassOnWhySharedMemoryCannotBeForced() {
        Consumer<String> forced = _ -> {
            throw new RdmaException(
                    "open soft device",
                    Errno.EOPNOTSUPP,
                    "the path is shared (verbena.soft.path), but there is no native access; run with --enable-x");
        };
        Finding finding = only(softDevice(forced, false));
        assertFound(finding, PROBLEM, "the path is shared (verbena.soft.path), but there is no", "run with --enable-x");
    }

    private static SoftDeviceCheck softDevice(Consumer<String> open, boolean hasAdapter) {
        return new SoftDeviceCheck(open, () -> hasAdapter);
    }

    private static void refuse(boolean refused) {
        if (refused) {
            throw new IllegalStateException("the port is taken; stop it");
        }
    }

    @Test
    void shouldFindTheLibrariesAndTheirVersion() throws IOException {
        here.file("usr/lib64/libibverbs.so.1.14.44.0").link("usr/lib64/libibverbs.so.1", "libibverbs.so.1.14.44.0");
        here.file("usr/lib64/librdmacm.so.1.3.39.0").link("usr/lib64/librdmacm.so.1", "librdmacm.so.1.3.39.0");
        List<Finding> findings = here.look(new LibraryCheck());
        assertFound(findings.get(0), OK, "rdma-core 44.0", "");
        assertFound(findings.get(1), WARNING, "older than 44", "apt install");
        assertFound(findings.get(2), WARNING, "no device", "apt install ibverbs-providers");
        here.file("usr/lib64/libibverbs/librxe-rdmav34.so");
        assertFound(here.look(new LibraryCheck()).get(2), OK, "rxe", "");
    }

    @Test
    void shouldSayHowToGetMissingLibraries() {
        for (Finding finding : here.look(new LibraryCheck())) {
            assertFound(finding, WARNING, "not found", "apt install rdma-core");
        }
    }

    @Test
    void shouldNameMissingKernelModules() throws IOException {
        here.file("proc/modules", "ib_core 4096 0 - Live 0x0", "ib_uverbs 4096 0 - Live 0x0")
                .folder("sys/module/rdma_cm");
        List<Finding> findings = here.look(new ModuleCheck());
        assertFound(findings.get(0), WARNING, "not loaded: rdma_ucm;", "modprobe -a");
        assertFound(findings.get(1), WARNING, "none", "modprobe");
        here.folder("sys/module/rdma_ucm").folder("sys/module/mlx5_ib");
        findings = here.look(new ModuleCheck());
        assertFound(findings.get(0), OK, "ib_core", "");
        assertFound(findings.get(1), OK, "mlx5_ib", "");
    }

    @Test
    void shouldLookAtDeviceFiles() throws IOException {
        assertFound(only(new DeviceFileCheck()), WARNING, "no /dev/infiniband/uverbs", "modprobe ib_uverbs");
        here.file("dev/infiniband/uverbs0");
        List<Finding> findings = here.look(new DeviceFileCheck());
        assertFound(findings.get(0), OK, "uverbs0 may be opened", "");
        assertFound(findings.get(1), WARNING, "no /dev/infiniband/rdma_cm", "modprobe rdma_ucm");
        here.file("dev/infiniband/rdma_cm");
        assertFound(here.look(new DeviceFileCheck()).get(1), OK, "rdma_cm may be opened", "");
    }

    @Test
    void shouldWarnOnceThatThereIsNoAdapter() {
        List<Finding> findings = Checkup.run(
                List.of(new ModuleCheck(), new DeviceFileCheck(), new AdapterCheck(), ProviderCheck.here()),
                here.machine());
        assertEquals(1, findings.size(), findings.toString());
        assertEquals("adapters", findings.getFirst().subject());
        assertTrue(findings.getFirst().remedy().contains("rdma link add rxe0"), findings.toString());
    }

    @Test
    void shouldShowEveryPortAndItsState() throws IOException {
        assertFound(only(new AdapterCheck()), WARNING, "no RDMA device", "rdma link add");
        here.port("mlx5_0", "4: ACTIVE", "InfiniBand").port("mlx5_1", "1: DOWN", "InfiniBand");
        here.port("rxe0", "1: DOWN", "Ethernet").gid("rxe0", 0, "fe80::", "RoCE v2", "eth7");
        List<Finding> findings = here.look(new AdapterCheck());
        assertFound(findings.get(0), OK, "ACTIVE, InfiniBand", "");
        assertFound(findings.get(1), WARNING, "DOWN", "subnet manager");
        assertFound(findings.get(2), WARNING, "DOWN, Ethernet, on eth7", "ip link set eth7 up");
    }

    @Test
    void shouldWantAGidOfRoceV2OverIpv4() throws IOException {
        here.port("rxe0", "4: ACTIVE", "Ethernet");
        here.gid("rxe0", 0, "fe80:0000:0000:0000:5054:00ff:fe12:3456", "RoCE v2", "eth0");
        here.gid("rxe0", 1, "0000:0000:0000:0000:0000:ffff:0a4d:0001", "IB/RoCE v1", "eth0");
        here.gid("rxe0", 2, "0000:0000:0000:0000:0000:0000:0000:0000", "", "");
        assertFound(only(new GidCheck()), WARNING, "2, but none", "ip addr add");
        here.gid("rxe0", 3, "0000:0000:0000:0000:0000:ffff:0a4d:0001", "RoCE v2", "eth0");
        here.gid("rxe0", 10, "0000:0000:0000:0000:0000:ffff:0a4d:0002", "RoCE v2", "eth0");
        assertFound(only(new GidCheck()), OK, "index 3 (10.77.0.1)", "");
    }

    @ParameterizedTest
    @CsvSource({"unlimited,OK", "67108864,OK", "65536,WARNING"})
    void shouldJudgeTheMemlockLimitWhenThereIsAnAdapter(String limit, Level level) throws IOException {
        here.port("rxe0", "4: ACTIVE", "Ethernet");
        here.file("proc/self/limits", "Max locked memory         " + limit + "     unlimited            bytes");
        assertEquals(level, only(new MemlockCheck()).level());
    }

    @Test
    void shouldOnlyMentionTheMemlockLimitWhenThereIsNoAdapter() throws IOException {
        here.file("proc/self/limits", "Max locked memory         65536   65536            bytes");
        assertFound(only(new MemlockCheck()), OK, "64 KiB", "ulimit -l unlimited");
    }

    private static final String UDP = "  1: %s:12B7 00000000:0000 07 0:0 00:0 0 0 0 777 2 0 0";

    @Test
    void shouldNameWhoHoldsThePort() throws IOException {
        here.file("proc/net/udp", "  sl  local_address rem_address", UDP.formatted("0100007F"));
        assertFound(only(new PortCheck()), OK, "127.0.0.1 is held by a program of another user", "127.0.0.2");
        here.file("proc/4711/comm", "java").link("proc/4711/fd/5", "socket:[777]");
        assertFound(only(new PortCheck()), OK, "127.0.0.1 is held by java, process 4711", "");
    }

    @Test
    void shouldListAllTakenAddressesInOneLine() throws IOException {
        here.file("proc/4711/comm", "java").link("proc/4711/fd/5", "socket:[777]");
        here.file(
                "proc/net/udp",
                UDP.formatted("0100007F"),
                UDP.formatted("0200007F"),
                UDP.formatted("0300007F").replace("777", "778"));
        assertFound(
                only(new PortCheck()),
                OK,
                "127.0.0.1 and 127.0.0.2 are held by java, process 4711;"
                        + " 127.0.0.3 is held by a program of another user",
                "others are free, such as 127.0.0.4");
    }

    @Test
    void shouldWarnWhenTheKernelHoldsThePortOfAllAddresses() throws IOException {
        here.file("proc/net/udp", UDP.formatted("00000000"));
        assertFound(only(new PortCheck()), WARNING, "all addresses", "ss -lunp");
        here.folder("sys/module/rdma_rxe").file("proc/net/udp6", UDP.formatted("0".repeat(32)));
        assertFound(only(new PortCheck()), WARNING, "kernel's soft-RoCE", "--provider rdmacore");
    }

    @Test
    void shouldShowWhoHasWhichShardOfAnAddress() throws IOException {
        here.file("proc/net/udp", UDP.formatted("0100007F"));
        assertFound(
                only(new ShardCheck(_ -> Map.of(0, 4711L, 2, 4711L, 1, 4712L, 3, 1L), 1)),
                OK,
                "0, 2 of process 4711; 1 of process 4712",
                "");
    }

    @Test
    void shouldShowNoShardsOfAnAddressThatAnotherUserHas() throws IOException {
        here.file("proc/net/udp", UDP.formatted("0100007F"));
        Check check = new ShardCheck(
                _ -> {
                    throw new RdmaException("open", Errno.EADDRINUSE, "another user has it");
                },
                1);
        assertEquals(List.of(), here.look(check));
    }

    /// A program that receives multicast datagrams has a socket at the group's address.
    @Test
    void shouldShowNoShardsOfAMulticastGroup() throws IOException {
        here.file("proc/net/udp", UDP.formatted("070707EF"));
        assertEquals(List.of(), here.look(ShardCheck.here()));
    }

    @Test
    void shouldSayThatThePortIsFree() throws IOException {
        here.file("proc/net/udp", UDP.formatted("0100007F").replace("12B7", "0035"));
        assertFound(only(new PortCheck()), OK, "free", "");
    }

    @ParameterizedTest
    @CsvSource({"1500,1024", "4200,4096", "65536,4096", "4175,2048", "1400,1024", "576,256", "300,0"})
    void shouldKnowThePathMtuOfAnInterface(long mtu, int path) {
        assertEquals(path, MtuCheck.path(mtu));
    }

    @Test
    void shouldTellHowToRaiseTheMtu() throws IOException {
        here.file("sys/class/net/eth0/mtu", "1500").file("sys/class/net/eth0/operstate", "up");
        here.file("sys/class/net/eth1/mtu", "1500").file("sys/class/net/eth1/operstate", "down");
        assertFound(only(new MtuCheck()), OK, "path MTU 1024", "ip link set dev eth0 mtu 4200");
        here.file("sys/class/net/eth0/mtu", "300");
        assertFound(only(new MtuCheck()), WARNING, "too small", "ip link set");
    }

    @Test
    void shouldWantRoomInSocketBuffers() throws IOException {
        here.file("proc/sys/net/core/rmem_max", "212992").file("proc/sys/net/core/wmem_max", "4194304");
        List<Finding> findings = here.look(new SocketBufferCheck());
        assertFound(findings.get(0), WARNING, "208 KiB", "sysctl -w net.core.rmem_max=4194304");
        assertFound(findings.get(1), OK, "4096 KiB", "");
    }

    @Test
    void shouldNotAskForSharedMemoryThatIsNotUsed() {
        assertFound(only(sharedMemory("udp", Availability.AVAILABLE)), OK, "not used: verbena.soft.path is udp", "");
    }

    @Test
    void shouldMissWhatProcessesFindEachOtherBy() throws IOException {
        assertFound(only(sharedMemory("auto", Availability.AVAILABLE)), WARNING, "/proc/self/fd", "mount -t proc");
        here.folder("proc/self/fd");
        assertFound(only(sharedMemory("auto", Availability.AVAILABLE)), WARNING, "net/unix", "mount -t proc");
        here.file("proc/thread-self/net/unix");
        assertFound(only(sharedMemory("auto", Availability.AVAILABLE)), OK, "works between processes", "");
    }

    @Test
    void shouldPassOnWhyADeviceHasNoSharedMemory() throws IOException {
        here.folder("proc/self/fd").file("proc/thread-self/net/unix");
        Availability noAccess = Availability.unavailable("there is no native access", "run with --enable-x");
        assertFound(only(sharedMemory("auto", noAccess)), WARNING, "there is no native access", "run with --enable-x");
        Availability tried = Availability.unavailable(
                "create shared memory of 1 bytes: memfd_create is not permitted here; let seccomp allow it"
                        + " (EPERM, operation not permitted)",
                "'verbena doctor' looks at shared memory");
        Finding finding = only(sharedMemory("auto", tried));
        assertFound(finding, WARNING, "memfd_create is not permitted here", "let seccomp allow it");
        assertEquals("let seccomp allow it", finding.remedy(), "neither the number, nor this program itself");
    }

    @Test
    void shouldAskAnotherDeviceForSharedMemoryWhenOneIsHeld() throws IOException {
        here.folder("proc/self/fd").file("proc/thread-self/net/unix");
        var held = new SharedMemoryCheck("auto", address -> {
            refuse(address.equals("127.0.0.1"));
            return Availability.AVAILABLE;
        });
        assertFound(only(held), OK, "works", "");
        var none = new SharedMemoryCheck("auto", address -> {
            refuse(true);
            return Availability.AVAILABLE;
        });
        assertEquals(List.of(), here.look(none), "the check of the software device tells of it");
    }

    @Test
    void shouldSayInAContainerHowToShareMemoryWithAnother() throws IOException {
        here.folder("proc/self/fd").file("proc/thread-self/net/unix").file(".dockerenv");
        assertFound(only(sharedMemory("auto", Availability.AVAILABLE)), OK, "works", "--pid=container:");
    }

    private static SharedMemoryCheck sharedMemory(String path, Availability availability) {
        return new SharedMemoryCheck(path, _ -> availability);
    }

    @Test
    void shouldKnowAContainer() throws IOException {
        assertEquals(List.of(), here.look(new ContainerCheck()));
        here.file("proc/1/cgroup", "0::/kubepods/besteffort/pod1");
        assertFound(only(new ContainerCheck()), OK, "running inside a container", "--device=/dev/infiniband");
    }

    @Test
    void shouldPassOnWhatProvidersSay() {
        var check = new ProviderCheck(List.of(new Absent()));
        assertFound(only(check), WARNING, "no library", "install it");
    }

    @Test
    void shouldAlignItsLinesAndConclude() {
        var out = new StringWriter();
        List<Finding> findings =
                List.of(Finding.ok("Java", "25"), Finding.problem("lo", "is down", "ip link set lo up"));
        DoctorCommand.print(new PrintWriter(out, true), findings, false);
        assertEquals("""
                ok       Java                25
                problem  lo                  is down
                                             -> ip link set lo up

                1 ok, 0 warnings, 1 problem: not usable until the problems are gone
                """, out.toString());
        assertFalse(Checkup.isUsable(findings));
    }

    @Test
    void shouldFindThisMachineUsable() {
        CommandRun run = CommandRun.of("doctor");
        assertEquals(0, run.exitCode(), run.out());
        assertTrue(run.lastLine().endsWith("usable"), run.out());
        assertTrue(run.out().contains("software device     works on 127."), run.out());
        assertFalse(run.out().contains("/dev/shm"), run.out());
    }

    @Test
    void shouldWriteJson() {
        CommandRun run = CommandRun.of("doctor", "--json");
        assertTrue(run.out().startsWith("{\n  \"usable\": true,"), run.out());
        assertTrue(run.out().contains("\"subject\": \"Java\""), run.out());
    }

    @Test
    void shouldLeaveOutWhatIsOkWhenAsked() {
        CommandRun run = CommandRun.of("doctor", "-w");
        assertTrue(run.out().lines().noneMatch(line -> line.startsWith("ok ")), run.out());
    }

    private record Absent() implements RdmaProvider {
        @Override
        public String name() {
            return "absent";
        }

        @Override
        public Availability availability() {
            return Availability.unavailable("no library", "install it");
        }

        @Override
        public List<Device> devices() {
            return List.of();
        }

        @Override
        public Optional<Device> device(String nameOrAddress) {
            return Optional.empty();
        }

        @Override
        public ConnectionManager connectionManager() {
            throw new IllegalStateException("absent");
        }
    }

    @Test
    void shouldTellWhyTopSeesNoProcess() throws Exception {
        Path used = root.resolve("status");
        System.setProperty("verbena.soft.status.directory", used.toString());
        try {
            Check check = new StatusDirectoryCheck(StatusDirectory::ofUser);
            assertEquals(List.of(), here.look(check));
            Files.writeString(used, "not a directory");
            assertFound(only(check), WARNING, "is not a directory; remove it", "verbena.soft.status.directory");
            System.setProperty("verbena.soft.status.directory", root + "/missing/status");
            assertFound(only(check), WARNING, "missing is not a directory; make it", "verbena.soft.status.directory");
            System.setProperty("verbena.soft.status.directory", "/no\0path");
            assertFound(only(check), WARNING, "Nul character not allowed", "verbena.soft.status.directory");
        } finally {
            System.clearProperty("verbena.soft.status.directory");
        }
    }
}
