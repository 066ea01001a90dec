package io.verbena.bench.soak;

import io.verbena.bench.side.Child;
import io.verbena.bench.side.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The command's end of a [Survivor]: its status and its failure.
final class SurvivorProcess implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private final SoakPath path;
    private final Child child;
    private SoakCounters counters = new SoakCounters();
    private Sample sample = new Sample(0, 0, 0, 0);
    private String turn = "its start";
    private String failure;
    private boolean flat;
    private boolean done;
    private long lastOutputNs = System.nanoTime();

    SurvivorProcess(SoakPath path, String network, int first, long seed, Duration time, int wrongByteIn)
            throws IOException {
        this.path = path;
        // A heap of fixed size, so that growth of the process is growth of something else.
        List<String> options =
                new ArrayList<>(List.of("-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"));
        options.addAll(path.properties(seed));
        child = Child.java(
                "survivor",
                options,
                Survivor.class,
                List.of(
                        path.name(),
                        network,
                        Integer.toString(first),
                        Long.toString(seed),
                        Long.toString(time.toMillis()),
                        Integer.toString(wrongByteIn)));
    }

    /// Reads the lines that the process printed. A process that prints nothing for long hangs.
    void readOutput() {
        boolean alive = child.isAlive();
        for (String line : child.rest()) {
            lastOutputNs = System.nanoTime();
            onLine(line);
        }
        if (isOver()) {
            return;
        }
        if (!alive) {
            failure = "its process ended in " + turn + child.lastWords();
        } else if (System.nanoTime() - lastOutputNs > SILENCE.toNanos()) {
            failure = "its process says nothing for " + SILENCE.toSeconds() + " s, in " + turn + child.lastWords();
        }
    }

    private void onLine(String line) {
        String[] words = line.split(" ", 4);
        switch (words[0]) {
            case "status" -> {
                counters = SoakCounters.decode(words[1]);
                sample = Sample.decode(words[2]);
                turn = words[3];
            }
            case "flat" -> flat = true;
            case "done" -> done = true;
            case "failure" -> failure = line.substring("failure ".length()).replace("\\n", "\n");
            default -> {} // what the JVM itself says
        }
    }

    boolean isOver() {
        return done || failure != null;
    }

    SoakPath path() {
        return path;
    }

    SoakCounters counters() {
        return counters;
    }

    Sample sample() {
        return sample;
    }

    boolean isFlat() {
        return flat;
    }

    /// The failure; null when there is none.
    String failure() {
        return failure;
    }

    @Override
    public void close() {
        child.close();
    }
}
