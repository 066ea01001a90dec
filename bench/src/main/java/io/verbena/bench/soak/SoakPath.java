package io.verbena.bench.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The path of the connections, and its promises.
enum SoakPath {
    /// The end of a process is noticed without requests, within a tenth of a second on an idle machine.
    SHARED_MEMORY("shared memory", Duration.ofSeconds(10)),
    /// The end of a process is noticed by requests that time out: after 7 s, since each of 8 timeouts is longer than
    /// the one before, up to 1.1 s.
    UDP("UDP", Duration.ofSeconds(30));

    private static final String FAULTS =
            "-Dverbena.soft.faults=loss=0.01,duplicate=0.01,reorder=0.01,corrupt=0.005,seed=";

    private final String text;
    private final Duration longestDeath;

    SoakPath(String text, Duration longestDeath) {
        this.text = text;
        this.longestDeath = longestDeath;
    }

    /// How long a peer may seem alive after its process ended: the promise, and what a busy machine adds.
    Duration longestDeath() {
        return longestDeath;
    }

    /// System properties of a process whose devices use this path.
    List<String> properties(long seed) {
        List<String> options = new ArrayList<>();
        options.add("-Dverbena.provider=soft");
        if (this == UDP) {
            options.add("-Dverbena.soft.path=udp");
            options.add(FAULTS + (seed & 0xFFFF_FFFFL));
        }
        return options;
    }

    @Override
    public String toString() {
        return text;
    }
}
