package io.verbena.tools.perf;

import io.verbena.verbs.attr.QueuePairType;
import java.util.List;

/// The parameters of a run. The client decides them, and a Verbena server takes them over. No value means "the
/// default": defaults are filled in already.
///
/// - `sizes`: bytes of a message, one measurement each, in this order
/// - `iterations`: messages of each queue pair and size; 0 for a timed run
/// - `seconds`: duration of each size; 0 when `iterations` limits the run
/// - `txDepth`: requests that each queue pair keeps outstanding (latency tests: 1)
/// - `rxDepth`: receives that each queue pair keeps posted
/// - `cqModeration`: one request in this many is signaled (bandwidth tests)
/// - `inlineBytes`: messages up to this size are posted inline
/// - `queuePairs`: how many work in parallel (latency tests: 1)
/// - `bidirectional`: both sides send at once (bandwidth tests)
/// - `events`: wait for completion events rather than spin
/// - `postList`: requests posted in one call
/// - `mtu`: bytes of a packet's payload
/// - `outstandingReads`: READs and atomics in flight of each queue pair
/// - `ackTimeout`: the code of the QPs' acknowledgement timeout
/// - `retryCount`: transmissions without an answer before a queue pair gives up
/// - `warmUp`: run everything once before it counts, so that the JIT has compiled it
/// - `verify`: the receiver compares the bytes (between Verbena peers only)
public record PerfParameters(
        PerfTest test,
        QueuePairType transport,
        List<Integer> sizes,
        int iterations,
        int seconds,
        int txDepth,
        int rxDepth,
        int cqModeration,
        int inlineBytes,
        int queuePairs,
        boolean bidirectional,
        boolean events,
        int postList,
        int mtu,
        AtomicType atomicType,
        int outstandingReads,
        int ackTimeout,
        int retryCount,
        boolean warmUp,
        boolean verify) {

    /// The operation of the atomic tests, by perftest's names.
    public enum AtomicType {
        CMP_AND_SWAP,
        FETCH_AND_ADD
    }

    public PerfParameters {
        sizes = List.copyOf(sizes);
    }

    public int largestSize() {
        return sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    public boolean byDuration() {
        return seconds > 0;
    }
}
