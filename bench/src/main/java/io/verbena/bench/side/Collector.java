package io.verbena.bench.side;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/// The garbage collector that a JVM chooses on this machine: G1, or Serial with one processor or little memory. This
/// process may have been started with options, so a child is started to find out.
public final class Collector {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String WORD = "collector";

    private Collector() {}

    public static void main(String[] arguments) {
        System.out.println(WORD + " " + current());
    }

    /// The collector of children without options for it.
    public static String ofChildren() throws IOException {
        return ofChildren(List.of());
    }

    static String ofChildren(List<String> options) throws IOException {
        try (Child child = Child.java(WORD, options, Collector.class, List.of())) {
            return child.await(WORD, LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// The collector of this process.
    private static String current() {
        List<String> names = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        String first = names.isEmpty() ? "no collector" : names.getFirst();
        return switch (first.split(" ")[0]) {
            case "G1" -> "G1";
            case "Copy" -> "Serial";
            case "PS" -> "Parallel";
            default -> first;
        };
    }
}
