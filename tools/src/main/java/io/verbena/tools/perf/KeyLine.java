package io.verbena.tools.perf;

import io.verbena.verbs.attr.Gid;

/// What the two sides tell each other of a queue pair: where it is, and where its receive area lies.
///
/// `virtualAddress` is the start of the receive area of that queue pair, `outstandingReads` how many READs and atomics
/// the side serves at once, `sharedReceiveQueue` 0 where there is none.
public record KeyLine(
        int lid,
        int outstandingReads,
        int queuePair,
        int packetSequence,
        int rkey,
        long virtualAddress,
        Gid gid,
        int sharedReceiveQueue) {}
