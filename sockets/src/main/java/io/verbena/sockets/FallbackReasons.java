package io.verbena.sockets;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Why connections that could have used RDMA use TCP, and how often. Reasons may name addresses, of which a program can
/// have any number: beyond a limit, new ones are counted together.
final class FallbackReasons {
    static final int MOST = 1_000;
    static final String OTHERS = "other reasons";

    private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String reason) {
        String counted = counts.containsKey(reason) || counts.size() < MOST ? reason : OTHERS;
        counts.computeIfAbsent(counted, first -> new LongAdder()).increment();
    }

    Map<String, Long> now() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((reason, count) -> sums.put(reason, count.sum()));
        return sums;
    }
}
