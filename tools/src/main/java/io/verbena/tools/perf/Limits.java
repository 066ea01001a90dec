package io.verbena.tools.perf;

import io.verbena.verbs.Context;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.attr.QueuePairType;
import java.util.Set;

/// The limits of a test, and those of a device. Each check returns one line that says what is wrong, or null.
final class Limits {
    /// perftest's largest size with `-a`; `-s` may be larger.
    static final int LARGEST_OF_ALL = 1 << 23;

    private static final int MOST_QUEUE_PAIRS = 16_384;
    private static final int ATOMIC_BYTES = 8;
    /// Approximate memory of one request, in the heap or in a queue.
    private static final int REQUEST_BYTES = 256;
    private static final Set<Integer> MTUS = Set.of(256, 512, 1024, 2048, 4096);

    private final PerfParameters p;

    private Limits(PerfParameters parameters) {
        this.p = parameters;
    }

    /// Checks that need no device.
    static String ofTest(PerfParameters parameters) {
        return new Limits(parameters).ofTest();
    }

    /// Checks for `-R`.
    static String ofManaged(PerfParameters parameters) {
        return parameters.transport() == QueuePairType.UC
                ? "-R connects RC and UD: rdma_cm has no connections of type UC"
                : null;
    }

    /// Checks against what the device and the port can do.
    static String ofDevice(PerfParameters parameters, Context context, int port) {
        return new Limits(parameters).ofDevice(context.attributes(), context.port(port));
    }

    /// Upper limit of the memory that a run takes, whatever page size the peer has.
    static long memory(PerfParameters p) {
        var layout = new BufferLayout(
                p.largestSize(),
                Preamble.LARGEST_PAGE,
                BufferLayout.CACHE_LINE,
                p.queuePairs(),
                BufferLayout.DATAGRAM_PREFIX);
        long requests = (long) p.queuePairs() * (layout.slots(1) + (long) p.txDepth() + p.rxDepth());
        return layout.bytes() + requests * REQUEST_BYTES;
    }

    private String ofTest() {
        if (p.test() == null) {
            return "there is no such test";
        }
        String label = p.test().label();
        if (!transports().contains(p.transport())) {
            return label + " cannot run on " + p.transport() + "; it can on " + transports();
        }
        if (p.sizes().isEmpty() || p.sizes().stream().anyMatch(size -> size < 1)) {
            return "the size of a message (-s) is 1 byte or more, not " + p.sizes();
        }
        if (p.sizes().stream().distinct().count() < p.sizes().size()) {
            return "the sizes (-s) have one twice: " + p.sizes();
        }
        if (p.test().verb() == PerfTest.Verb.ATOMIC && p.largestSize() != ATOMIC_BYTES) {
            return "atomics work on 8 bytes; leave out -s " + p.largestSize();
        }
        if (p.iterations() < 0 || p.seconds() < 0 || p.iterations() == 0 && p.seconds() == 0) {
            return "say how many messages (-n, 1 or more) or how many seconds (-D, 1 or more)";
        }
        String wrongNumber = ofNumbers();
        if (wrongNumber != null) {
            return wrongNumber;
        }
        if (p.test().isLatency() && (p.queuePairs() != 1 || p.bidirectional() || p.postList() != 1)) {
            return label + " has one queue pair and one message in flight: -q, -b and -l are for bandwidth tests";
        }
        if (p.iterations() % p.postList() != 0) {
            return "-n " + p.iterations() + " is no multiple of -l " + p.postList() + ", the length of a list";
        }
        if (p.verify() && p.transport() == QueuePairType.UC && p.test().verb() == PerfTest.Verb.WRITE) {
            return "--verify cannot tell when a WRITE over UC has arrived: use RC";
        }
        if (p.events() && p.test() == PerfTest.WRITE_LAT) {
            return "write-lat polls memory, and a WRITE makes no event there: leave out -e";
        }
        return null;
    }

    private Set<QueuePairType> transports() {
        return switch (p.test().verb()) {
            case SEND -> Set.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD);
            case WRITE -> Set.of(QueuePairType.RC, QueuePairType.UC);
            case READ, ATOMIC -> Set.of(QueuePairType.RC);
        };
    }

    private String ofNumbers() {
        String wrong = range("-t (tx-depth)", p.txDepth(), 1, Integer.MAX_VALUE);
        wrong = wrong != null ? wrong : range("-r (rx-depth)", p.rxDepth(), 1, Integer.MAX_VALUE);
        wrong = wrong != null ? wrong : range("-Q (cq-mod)", p.cqModeration(), 1, p.txDepth());
        wrong = wrong != null ? wrong : range("-l (post_list)", p.postList(), 1, p.txDepth());
        wrong = wrong != null ? wrong : range("-q (qps)", p.queuePairs(), 1, MOST_QUEUE_PAIRS);
        wrong = wrong != null ? wrong : range("-I (inline)", p.inlineBytes(), 0, Integer.MAX_VALUE);
        wrong = wrong != null ? wrong : range("-u (qp-timeout)", p.ackTimeout(), 0, 31);
        wrong = wrong != null ? wrong : range("--retry_count", p.retryCount(), 0, 7);
        if (wrong == null && !MTUS.contains(p.mtu())) {
            return "-m (mtu) " + p.mtu() + " is none of 256, 512, 1024, 2048, 4096";
        }
        return wrong;
    }

    private String ofDevice(DeviceAttributes device, PortAttributes port) {
        if (p.largestSize() > port.maxMessageBytes()) {
            return "messages of " + p.largestSize() + " bytes (-s) are too large: the port takes up to "
                    + port.maxMessageBytes();
        }
        if (p.transport() == QueuePairType.UD && p.largestSize() > p.mtu()) {
            return "a datagram has up to " + p.mtu() + " bytes, the MTU; " + p.largestSize() + " (-s) are too many";
        }
        if (p.mtu() > port.activeMtu().bytes()) {
            return "-m " + p.mtu() + " is more than the port's MTU of "
                    + port.activeMtu().bytes();
        }
        long buffers = 2L * p.queuePairs() * ((long) p.largestSize() + BufferLayout.PAGE);
        if (buffers > device.maxMemoryRegionBytes()) {
            return "the buffers of " + p.queuePairs() + " queue pairs (-q) need " + buffers
                    + " bytes; a region has up to " + device.maxMemoryRegionBytes();
        }
        String of = "; the device's limit";
        String wrong = range("-t (tx-depth)", p.txDepth(), 1, device.maxWorkRequests(), of);
        wrong = wrong != null ? wrong : range("-r (rx-depth)", p.rxDepth(), 1, device.maxWorkRequests(), of);
        wrong = wrong != null ? wrong : range("-I (inline)", p.inlineBytes(), 0, device.maxInlineBytes(), of);
        wrong = wrong != null ? wrong : range("-q (qps)", p.queuePairs(), 1, device.maxQueuePairs(), of);
        wrong = wrong != null
                ? wrong
                : range("-o (outs)", p.outstandingReads(), 1, device.maxReadAtomicAsInitiator(), of);
        return wrong != null ? wrong : ofCompletionQueues(device);
    }

    private String ofCompletionQueues(DeviceAttributes device) {
        long entries =
                (long) p.queuePairs() * Math.max(p.txDepth(), p.test().verb() == PerfTest.Verb.SEND ? p.rxDepth() : 1);
        return entries <= device.maxCompletionEntries()
                ? null
                : p.queuePairs() + " queue pairs of that depth complete up to " + entries
                        + " requests at once; a completion" + " queue of the device holds "
                        + device.maxCompletionEntries() + ": lower -q, -t or -r";
    }

    private static String range(String what, int value, int least, int most) {
        return range(what, value, least, most, "");
    }

    private static String range(String what, int value, int least, int most, String of) {
        if (value >= least && value <= most) {
            return null;
        }
        return most == Integer.MAX_VALUE
                ? what + " " + value + " must be " + least + " or more"
                : what + " " + value + " must be " + least + " to " + most + of;
    }
}
