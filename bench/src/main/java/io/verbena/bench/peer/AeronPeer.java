package io.verbena.bench.peer;

import io.verbena.bench.pair.PairContestant;
import io.verbena.bench.side.Measurement;
import io.verbena.bench.side.Measurement.Operation;
import io.verbena.bench.side.Names;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.Sizes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.agrona.IoUtil;

/// Aeron, from Maven Central: two JVMs, each with one busy thread.
final class AeronPeer extends PairContestant {
    /// Agrona needs access to the JDK, and its bounds checks are off, as in Aeron's own benchmarks.
    private static final List<String> OPTIONS = List.of(
            "--add-opens",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Dagrona.disable.bounds.checks=true",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:GuaranteedSafepointInterval=300000");
    /// An eighth of a term holds 2 MiB, which is the limit of one message.
    private static final int LARGEST = Sizes.MIB;

    private static final long FIRST_MESSAGES = 100;
    private static final long MOST_MESSAGES = 20_000_000;
    private static final int MOST_GROWTH = 20;
    private static final int MOST_WARM_UPS = 6;
    private static final Duration WARM_UP_LIMIT = Duration.ofSeconds(5);
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final String PREFIX = "verbena-bench-aeron-";
    private static final Set<Ability> ABILITIES = Set.of(
            Ability.of(Measurement.roundTrip(Operation.SEND, 1).withRead()),
            Ability.of(Measurement.stream(Operation.SEND, 1).withRead()));

    private final String remark;
    private long compiledMs;

    private AeronPeer(String name, String medium, String remark, Network network) {
        super(
                new Profile(
                        name,
                        AeronSide.class,
                        OPTIONS,
                        List.of(medium, folder(medium), network.serverAddress(), network.clientAddress()),
                        ABILITIES,
                        LARGEST),
                network);
        this.remark = remark;
    }

    static AeronPeer ipc() {
        return new AeronPeer(
                Names.AERON_IPC,
                AeronSide.IPC,
                "two JVMs; the driver's thread, in one of them, sleeps for 1 ms at a time",
                Network.LOOPBACK);
    }

    static AeronPeer udp(Network network) {
        return new AeronPeer(
                Names.AERON_UDP,
                AeronSide.UDP,
                "two JVMs, ThreadingMode.INVOKER: driver, client and program of a side are one thread; MTU 8 KiB above 1 KiB",
                network);
    }

    private static Path memory() {
        return Files.isDirectory(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /// Contains the number of this process, to distinguish folders in use from those that a killed process left.
    private static String folder(String medium) {
        return memory().resolve(PREFIX + ProcessHandle.current().pid() + "-" + medium)
                .toString();
    }

    @Override
    public void open() throws Exception {
        removeFolders();
        super.open();
    }

    /// Creating a driver and streams takes longer than a run, so only the run counts as warm-up. It goes on while the
    /// compilers are busy.
    @Override
    public void warmUp(Measurement measurement, Duration time) throws Exception {
        long end = System.nanoTime() + WARM_UP_LIMIT.toNanos();
        double wanted = FIRST_MESSAGES;
        double doneNs = 0;
        boolean compiling = true;
        while (doneNs < (compiling ? MOST_WARM_UPS : 1) * time.toNanos() && System.nanoTime() - end < 0) {
            long messages = Math.clamp((long) wanted, 1, MOST_MESSAGES);
            double perNs = exchange(measurement, messages).messagesPerSecond() / 1e9;
            doneNs += messages / perNs;
            wanted = Math.min(messages * (double) MOST_GROWTH, time.toNanos() * perNs / 2);
            compiling = isCompiling();
        }
    }

    private boolean isCompiling() throws IOException, InterruptedException {
        long compiled = Long.parseLong(ask(true, "compiled")) + Long.parseLong(ask(false, "compiled"));
        boolean more = compiled > compiledMs;
        compiledMs = compiled;
        return more;
    }

    @Override
    public String remark() {
        return remark;
    }

    @Override
    public void close() {
        super.close();
        try {
            removeFolders();
        } catch (IOException leftToTheNextStart) {
            // the next run removes them
        }
    }

    private static void removeFolders() throws IOException {
        for (Path folder : folders()) {
            IoUtil.delete(folder.toFile(), true);
        }
    }

    /// The folders of this process and of processes that have ended: a driver that is killed removes nothing.
    static List<Path> folders() throws IOException {
        List<Path> removable = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(memory(), PREFIX + "*")) {
            for (Path folder : all) {
                if (isRemovable(folder.getFileName().toString())) {
                    removable.add(folder);
                }
            }
        }
        return removable;
    }

    static boolean isRemovable(String folder) {
        String pid = folder.substring(PREFIX.length()).split("-")[0];
        return pid.matches("[0-9]{1,10}")
                && Optional.of(Long.parseLong(pid))
                        .filter(id -> id != ProcessHandle.current().pid())
                        .flatMap(ProcessHandle::of)
                        .isEmpty();
    }
}
