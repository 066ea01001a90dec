package io.verbena.tools.perf;

import io.verbena.tools.device.DeviceOptions;
import io.verbena.tools.perf.PerfParameters.AtomicType;
import io.verbena.tools.perf.PerfTest.Verb;
import io.verbena.tools.program.Usage;
import io.verbena.tools.text.ByteCount;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;
import picocli.CommandLine.Option;

/// The options that say what is measured, with perftest's letters, names and defaults.
final class PerfOptions {
    private static final int ATOMIC_BYTES = 8;
    private static final int BANDWIDTH_DEPTH = 128;
    private static final int WRITE_BW_ITERATIONS = 5000;
    private static final int ITERATIONS = 1000;
    private static final int CQ_MODERATION = 100;
    private static final int ACK_TIMEOUT = 14; // 67 ms
    private static final int SOFTWARE_ACK_TIMEOUT = 18; // 1.07 s
    private static final int LATENCY_BYTES = 2;
    private static final int BANDWIDTH_BYTES = 65536;

    @Option(
            names = {"-s", "--size"},
            split = ",",
            paramLabel = "BYTES",
            converter = ByteCount.Small.class,
            description =
                    "Size of a message (64k, 1m); several with commas. Default: 2 (latency), 65536 (bandwidth), 8 (atomics).")
    private List<Integer> sizes = List.of();

    @Option(
            names = {"-a", "--all"},
            description = "All sizes from 2 to 2^23 bytes; datagrams: to the MTU.")
    private boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "COUNT",
            description = "Messages of each size and queue pair. Default: 1000, write-bw 5000.")
    private Integer iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description = "Run each size for this long instead of -n messages.")
    private Integer seconds;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "COUNT",
            description = "Bandwidth: requests in flight of each queue pair. Default: 128.")
    private Integer txDepth;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "COUNT",
            description = "SEND: receives posted on each queue pair. Default: ${DEFAULT-VALUE}.")
    private int rxDepth = 512;

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "COUNT",
            description = "Bandwidth: queue pairs in parallel. Default: ${DEFAULT-VALUE}.")
    private int queuePairs = 1;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "Bandwidth: both sides send at once.")
    private boolean bidirectional;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until completions come instead of spinning.")
    private boolean events;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            description =
                    "Post messages up to this size inline. Default: 236 (send-lat), 220 (write-lat), 0 (bandwidth).")
    private Integer inlineBytes;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "COUNT",
            description = "Bandwidth: signal one request in this many. Default: 100, at most -t.")
    private Integer cqModeration;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "COUNT",
            description = "Bandwidth: post this many requests in one call. Default: ${DEFAULT-VALUE}.")
    private int postList = 1;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "MTU, 256 to 4096. Default: the port's.")
    private Integer mtu;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "RC|UC|UD",
            description = "Transport: UC for SEND and WRITE, UD for SEND. Default: ${DEFAULT-VALUE}.")
    private QueuePairType transport = QueuePairType.RC;

    @Option(
            names = {"-o", "--outs"},
            paramLabel = "COUNT",
            description = "READs and atomics in flight of each queue pair. Default: the limit of the device.")
    private Integer outstandingReads;

    @Option(
            names = {"-A", "--atomic_type"},
            paramLabel = "TYPE",
            description = "CMP_AND_SWAP or FETCH_AND_ADD. Default: ${DEFAULT-VALUE}.")
    private AtomicType atomicType = AtomicType.FETCH_AND_ADD;

    @Option(
            names = {"-u", "--qp-timeout"},
            paramLabel = "CODE",
            description =
                    "Send again after 4.096 us * 2^CODE without an answer. Default: 14; software device 18, as its"
                            + " peer may have to wait for a processor.")
    private Integer ackTimeout;

    @Option(
            names = "--retry_count",
            paramLabel = "COUNT",
            description = "Retries before giving up, 0 to 7. Default: ${DEFAULT-VALUE}.")
    private int retryCount = 7;

    @Option(names = "--no-warm-up", description = "Measure from the first message on, while Java still compiles.")
    private boolean noWarmUp;

    @Option(
            names = "--verify",
            description = "Compare what arrived with what was sent (RC and two Verbena sides only).")
    private boolean verify;

    /// The parameters of a test on a port, not checked yet.
    PerfParameters complete(PerfTest test, PerfPort port) {
        DeviceAttributes device = port.context().attributes();
        int usedMtu = mtu != null ? mtu : port.attributes().activeMtu().bytes();
        int count = seconds != null ? 0 : iterations != null ? iterations : defaultIterations(test);
        int depth = txDepth(test, count);
        return new PerfParameters(
                test,
                transport,
                sizes(test, usedMtu),
                count,
                seconds == null ? 0 : seconds,
                depth,
                rxDepth,
                cqModeration(depth),
                inlineBytes != null ? inlineBytes : Math.min(defaultInline(test), device.maxInlineBytes()),
                queuePairs,
                bidirectional,
                events,
                postList,
                usedMtu,
                atomicType,
                outstandingReads != null
                        ? outstandingReads
                        : Math.min(device.maxReadAtomicAsInitiator(), device.maxReadAtomicAsResponder()),
                ackTimeout != null ? ackTimeout : defaultAckTimeout(port),
                retryCount,
                !noWarmUp,
                verify);
    }

    boolean isReliable() {
        return transport == QueuePairType.RC;
    }

    /// Refuses options that are wrong on every device.
    void check(PerfTest test, Usage usage) {
        usage.require(!all || sizes.isEmpty(), "-a and -s: one of them says which sizes");
        usage.require(iterations == null || seconds == null, "-n and -D: one of them says how long");
        if (test != null) {
            usage.require(
                    !test.isLatency() || txDepth == null && cqModeration == null,
                    test.label() + " has one message in flight: -t and -Q are for bandwidth tests");
            usage.require(!all || test.verb() != Verb.ATOMIC, "atomics work on 8 bytes; leave out -a");
        }
    }

    private static int defaultIterations(PerfTest test) {
        return test == PerfTest.WRITE_BW ? WRITE_BW_ITERATIONS : ITERATIONS;
    }

    private static int defaultAckTimeout(PerfPort port) {
        boolean soft = port.context().device().provider().equals(DeviceOptions.SOFT);
        return soft ? SOFTWARE_ACK_TIMEOUT : ACK_TIMEOUT;
    }

    private int txDepth(PerfTest test, int count) {
        int depth = txDepth != null ? txDepth : test.isLatency() ? 1 : BANDWIDTH_DEPTH;
        return count > 0 ? Math.min(depth, count) : depth;
    }

    private int cqModeration(int depth) {
        int usual = postList > 1 ? postList : CQ_MODERATION;
        return Math.min(cqModeration != null ? cqModeration : usual, depth);
    }

    private List<Integer> sizes(PerfTest test, int usedMtu) {
        boolean datagrams = transport == QueuePairType.UD;
        if (all) {
            return Limits.allSizes(datagrams ? usedMtu : Limits.LARGEST_OF_ALL);
        }
        if (!sizes.isEmpty()) {
            return sizes;
        }
        if (test.verb() == Verb.ATOMIC) {
            return List.of(ATOMIC_BYTES);
        }
        int usual = test.isLatency() ? LATENCY_BYTES : BANDWIDTH_BYTES;
        return List.of(datagrams ? Math.min(usual, usedMtu) : usual);
    }

    /// perftest's default.
    private int defaultInline(PerfTest test) {
        return switch (test) {
            case SEND_LAT -> transport == QueuePairType.UD ? 188 : 236;
            case WRITE_LAT -> 220;
            default -> 0;
        };
    }
}
