package io.verbena.tools.trace;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Keeps the lines of a trace.
final class TraceLines implements TraceSink {
    private final List<TraceRecord> all = new CopyOnWriteArrayList<>();

    @Override
    public void accept(TraceRecord line) {
        all.add(line);
    }

    List<TraceRecord> all() {
        return all;
    }

    /// The first line of that verb.
    TraceRecord first(String verb) {
        return all.stream()
                .filter(line -> line.verb().equals(verb))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + verb + " in " + this));
    }

    long count(String verb) {
        return all.stream().filter(line -> line.verb().equals(verb)).count();
    }

    /// Fails unless these verbs come in this order, with others between them.
    void requireOrder(String... verbs) {
        int at = 0;
        for (TraceRecord line : all) {
            if (at < verbs.length && line.verb().equals(verbs[at])) {
                at++;
            }
        }
        assertTrue(at == verbs.length, "no " + verbs[Math.min(at, verbs.length - 1)] + " in its place: " + this);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        all.forEach(line -> text.append('\n').append(line.verb()).append("  ").append(line.text()));
        return text.toString();
    }
}
