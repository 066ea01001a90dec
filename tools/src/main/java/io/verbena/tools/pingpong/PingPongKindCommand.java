package io.verbena.tools.pingpong;

import io.verbena.tools.device.SoftPath;
import io.verbena.tools.program.ProgramOptions;
import io.verbena.tools.program.SideServer;
import io.verbena.tools.text.ByteCount;
import io.verbena.verbs.attr.Mtu;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options of all four commands: the flags of the C programs, and the options of all programs here.
@Command(
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  verbena pingpong ${COMMAND-NAME}                serve every client, until stopped",
            "  verbena pingpong ${COMMAND-NAME} 127.0.0.1      exchange messages with it",
            "  verbena pingpong ${COMMAND-NAME} 10.0.0.2 -s 512 -n 10000 --verify --stats",
            "  verbena pingpong ${COMMAND-NAME} -e -r 20 -n 1 --trace   one message, each step",
            "  ibv_${COMMAND-NAME}_pingpong -g 1 10.0.0.2      the C program as client; or as server",
            "",
            "The sides do not tell each other -s and -n: give both the same. TCP port 18515.",
            "Exit code 0 only when all messages came and, with --verify, were right."
        })
abstract class PingPongKindCommand implements Callable<Integer> {
    private static final int MOST_BYTES = 1 << 30;
    /// No device has more; a device may have fewer.
    private static final int MOST_RECEIVES = 1 << 24;
    /// A datagram that has not arrived after this time is lost.
    private static final Duration LOST = Duration.ofSeconds(5);

    @Spec
    private CommandSpec command;

    @Mixin
    private ProgramOptions program;

    @Option(
            names = {"-i", "--ib-port"},
            paramLabel = "PORT",
            description = "The device's port. Default: that of the address in use.")
    private int port = -1;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "Size of a message. Default: 4096, ud: 1024.")
    private Long size;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096. Default: 1024. Not for ud.")
    private Integer mtu;

    @Option(
            names = {"-q", "--num-qp"},
            paramLabel = "COUNT",
            description = "srq: number of queue pairs that share the receive queue. Default: 16.")
    private Integer queuePairs;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "COUNT",
            description = "Number of posted receives. Default: ${DEFAULT-VALUE}.")
    private int receives = 500;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            description = "Number of messages in each direction; srq: of all queue pairs together."
                    + " Default: ${DEFAULT-VALUE}.")
    private int iterations = 1000;

    @Option(
            names = {"-l", "--sl"},
            paramLabel = "LEVEL",
            description = "Service level, 0 to 15; for InfiniBand.")
    private int serviceLevel;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until a completion event comes instead of spinning.")
    private boolean events;

    @Option(
            names = {"-g", "--gid-idx"},
            paramLabel = "INDEX",
            description = "Row of the port's GID table. Default: that of the address in use.")
    private Integer gidIndex;

    @Option(
            names = {"-c", "--chk"},
            description = "Check one byte of each page, as the C programs do. Use it on both sides.")
    private boolean check;

    @Option(
            names = {"-o", "--odp", "-O", "--iodp", "-P", "--prefetch", "-t", "--ts", "-j", "--dm", "-N", "--new_send"},
            hidden = true,
            description = "Accepted by the C programs; not supported here.")
    private boolean special;

    private PingPongKind kind;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "NAME|ADDRESS",
            description = "As --device.")
    private void name(String device) {
        program.nameDevice(device);
    }

    @Override
    public Integer call() {
        kind = PingPongKind.valueOf(command.name().toUpperCase(Locale.ROOT));
        PingPongSettings settings = settings();
        return program.run(() -> {
            if (program.isServer()) {
                SideServer.serve(
                        program, PingPongSession.PORT, client -> new PingPongSession(settings, program).serve(client));
            } else {
                new PingPongSession(settings, program).runClient();
            }
        });
    }

    private PingPongSettings settings() {
        check();
        boolean hasTimeout = program.isGiven("--timeout");
        var settings = new PingPongSettings(
                kind,
                program.isServer(),
                size == null ? kind.usualSize() : size.intValue(),
                mtu == null ? Mtu.MTU_1024 : withBytes(mtu).orElseThrow(),
                queuePairs == null ? kind.usualQueuePairs() : queuePairs,
                receives,
                iterations,
                serviceLevel,
                gidIndex == null ? -1 : gidIndex,
                port,
                events,
                check,
                program.verify(),
                program.timeout(),
                kind.isReliable() || hasTimeout ? program.timeout() : LOST);
        program.require(
                settings.receives() >= settings.queuePairs(),
                "-r " + receives + " is too little for " + settings.queuePairs()
                        + " queue pairs: each needs at least one receive");
        program.require(
                settings.slots() * settings.receiveBytes() <= MOST_BYTES,
                "--verify needs a place for each of " + receives + " receives of " + settings.size()
                        + " bytes; lower -r");
        return settings;
    }

    private void check() {
        program.require(
                !special,
                "on-demand paging, timestamps, device memory and the extended post calls of libibverbs are not"
                        + " supported; leave out -o, -O, -P, -t, -j and -N");
        program.require(
                kind.isReliable() || program.path() != SoftPath.SHARED,
                "--path shared is for reliable connections, and " + kind.text() + " has none; take rc or srq");
        program.require(size == null || size >= 1 && size <= MOST_BYTES, "-s must be 1 to " + MOST_BYTES + " bytes");
        program.require(mtu == null || kind != PingPongKind.UD, "-m is not for ud: a datagram is one packet");
        program.require(
                mtu == null || withBytes(mtu).isPresent(), "-m must be 256, 512, 1024, 2048 or 4096, not " + mtu);
        program.require(queuePairs == null || kind == PingPongKind.SRQ, "-q is for srq only");
        program.require(
                queuePairs == null || queuePairs >= 1 && queuePairs <= kind.lines(),
                "-q must be 1 to " + PingPongKind.SRQ.lines() + ", not " + queuePairs);
        int least = kind.isReliable() ? 1 : 2;
        program.require(
                receives >= least && receives <= MOST_RECEIVES,
                "-r must be " + least + " to " + MOST_RECEIVES + ", not " + receives
                        + (least == 2 ? ": a message that finds no receive is lost" : ""));
        program.require(iterations >= 1, "-n must be 1 or more, not " + iterations);
        program.require(serviceLevel >= 0 && serviceLevel <= 15, "-l must be 0 to 15, not " + serviceLevel);
        program.require(gidIndex == null || gidIndex >= 0, "-g must be 0 or more, not " + gidIndex);
        program.require(port == -1 || port >= 1 && port <= 255, "-i must be 1 to 255, not " + port);
    }

    private static Optional<Mtu> withBytes(int bytes) {
        return Arrays.stream(Mtu.values()).filter(mtu -> mtu.bytes() == bytes).findFirst();
    }
}
