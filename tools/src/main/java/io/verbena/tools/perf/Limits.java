package io.verbena.tools.perf;

import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.QueuePairType;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The limits of a test, of a device, and of the peer's program. The first that is not kept goes to `requirement`,
/// which throws.
record Limits(PerfParameters p, Requirement requirement) {
    /// perftest's largest size with `-a`; `-s` may be larger.
    static final int LARGEST_OF_ALL = 1 << 23;

    private static final int MOST_QUEUE_PAIRS = 16_384;
    private static final int ATOMIC_BYTES = 8;
    /// Approximate memory of one request, in the heap or in a queue.
    private static final int REQUEST_BYTES = 256;
    private static final Set<Integer> MTUS = Set.of(256, 512, 1024, 2048, 4096);

    /// What to do about a limit that is not kept.
    @FunctionalInterface
    interface Requirement {
        /// Throws unless `kept`.
        ///
        /// @param otherwise one line that says what is wrong
        void require(boolean kept, String otherwise);
    }

    private void require(boolean kept, String otherwise) {
        requirement.require(kept, otherwise);
    }

    /// The sizes of `-a`: all powers of two from 2 to 2^23, for datagrams to the MTU.
    static List<Integer> allSizes(int largest) {
        int last = Math.min(largest, LARGEST_OF_ALL);
        return IntStream.iterate(2, size -> size <= last, size -> 2 * size)
                .boxed()
                .toList();
    }

    /// Upper limit of the memory that a run takes, whatever page size the peer has.
    long memory() {
        var layout = new BufferLayout(
                p.largestSize(),
                Preamble.LARGEST_PAGE,
                BufferLayout.CACHE_LINE,
                p.queuePairs(),
                BufferLayout.DATAGRAM_PREFIX);
        long requests = (long) p.queuePairs() * (layout.slots(1) + (long) p.txDepth() + p.rxDepth());
        return layout.bytes() + requests * REQUEST_BYTES;
    }

    /// Checks that need no device.
    ///
    /// @param managed whether the connection manager connects the queue pairs (`-R`)
    void checkTest(boolean managed) {
        require(p.test() != null, "there is no such test");
        String label = p.test().label();
        require(
                transports().contains(p.transport()),
                label + " cannot run on " + p.transport() + "; it can on " + transports());
        require(
                !p.sizes().isEmpty() && p.sizes().stream().allMatch(size -> size >= 1),
                "the size of a message (-s) is 1 byte or more, not " + p.sizes());
        require(
                p.sizes().stream().distinct().count() == p.sizes().size(),
                "the sizes (-s) have one twice: " + p.sizes());
        require(
                p.test().verb() != PerfTest.Verb.ATOMIC || p.largestSize() == ATOMIC_BYTES,
                "atomics work on 8 bytes; leave out -s " + p.largestSize());
        require(
                Math.min(p.iterations(), p.seconds()) >= 0 && Math.max(p.iterations(), p.seconds()) > 0,
                "say how many messages (-n, 1 or more) or how many seconds (-D, 1 or more)");
        checkNumbers();
        require(
                !p.test().isLatency() || p.queuePairs() == 1 && !p.bidirectional() && p.postList() == 1,
                label + " has one queue pair and one message in flight: -q, -b and -l are for bandwidth tests");
        require(
                p.iterations() % p.postList() == 0,
                "-n " + p.iterations() + " is no multiple of -l " + p.postList() + ", the length of a list");
        require(
                !p.verify() || p.transport() != QueuePairType.UC || p.test().verb() != PerfTest.Verb.WRITE,
                "--verify cannot tell when a WRITE over UC has arrived: use RC");
        require(
                !p.events() || p.test() != PerfTest.WRITE_LAT,
                "write-lat polls memory, and a WRITE makes no event there: leave out -e");
        require(
                !managed || p.transport() != QueuePairType.UC,
                "-R connects RC and UD: rdma_cm has no connections of type UC");
    }

    private Set<QueuePairType> transports() {
        return switch (p.test().verb()) {
            case SEND -> Set.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD);
            case WRITE -> Set.of(QueuePairType.RC, QueuePairType.UC);
            case READ, ATOMIC -> Set.of(QueuePairType.RC);
        };
    }

    private void checkNumbers() {
        range("-t (tx-depth)", p.txDepth(), 1, Integer.MAX_VALUE, "");
        range("-r (rx-depth)", p.rxDepth(), 1, Integer.MAX_VALUE, "");
        range("-Q (cq-mod)", p.cqModeration(), 1, p.txDepth(), "");
        range("-l (post_list)", p.postList(), 1, p.txDepth(), "");
        range("-q (qps)", p.queuePairs(), 1, MOST_QUEUE_PAIRS, "");
        range("-I (inline)", p.inlineBytes(), 0, Integer.MAX_VALUE, "");
        range("-u (qp-timeout)", p.ackTimeout(), 0, 31, "");
        range("--retry_count", p.retryCount(), 0, 7, "");
        require(MTUS.contains(p.mtu()), "-m (mtu) " + p.mtu() + " is none of 256, 512, 1024, 2048, 4096");
    }

    /// Checks against what the device and the port can do.
    void checkDevice(PerfPort used) {
        DeviceAttributes device = used.context().attributes();
        long longest = used.attributes().maxMessageBytes();
        require(
                p.largestSize() <= longest,
                "messages of " + p.largestSize() + " bytes (-s) are too large: the port takes up to " + longest);
        require(
                p.transport() != QueuePairType.UD || p.largestSize() <= p.mtu(),
                "a datagram has up to " + p.mtu() + " bytes, the MTU; " + p.largestSize() + " (-s) are too many");
        int mtu = used.attributes().activeMtu().bytes();
        require(p.mtu() <= mtu, "-m " + p.mtu() + " is more than the port's MTU of " + mtu);
        long buffers = 2L * p.queuePairs() * ((long) p.largestSize() + BufferLayout.PAGE);
        require(
                buffers <= device.maxMemoryRegionBytes(),
                "the buffers of " + p.queuePairs() + " queue pairs (-q) need " + buffers + " bytes; a region has up to "
                        + device.maxMemoryRegionBytes());
        String of = "; the device's limit";
        range("-t (tx-depth)", p.txDepth(), 1, device.maxWorkRequests(), of);
        range("-r (rx-depth)", p.rxDepth(), 1, device.maxWorkRequests(), of);
        range("-I (inline)", p.inlineBytes(), 0, device.maxInlineBytes(), of);
        range("-q (qps)", p.queuePairs(), 1, device.maxQueuePairs(), of);
        range("-o (outs)", p.outstandingReads(), 1, device.maxReadAtomicAsInitiator(), of);
        int receives = p.test().verb() == PerfTest.Verb.SEND ? p.rxDepth() : 1;
        long entries = (long) p.queuePairs() * Math.max(p.txDepth(), receives);
        require(
                entries <= device.maxCompletionEntries(),
                p.queuePairs() + " queue pairs of that depth complete up to " + entries
                        + " requests at once; a completion queue of the device holds "
                        + device.maxCompletionEntries() + ": lower -q, -t or -r");
    }

    private void range(String what, int value, int least, int most, String of) {
        String limits = most == Integer.MAX_VALUE ? least + " or more" : least + " to " + most + of;
        require(value >= least && value <= most, what + " " + value + " must be " + limits);
    }

    /// Checks that a perftest program can take part.
    void checkCPeer() {
        String program = p.test().program();
        require(
                !p.verify(),
                "--verify is for two Verbena sides; the peer is " + program + ", which does not say what it sends");
        require(
                p.sizes().size() <= 1 || p.sizes().equals(allSizes(p.sizes().getLast())),
                "the peer is " + program + ": it takes one size (-s), or all of them (-a on both sides)");
    }
}
