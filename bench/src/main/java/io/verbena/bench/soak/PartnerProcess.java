package io.verbena.bench.soak;

import io.verbena.bench.side.Child;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The survivor's end of a [Partner]: orders, answers and signals.
final class PartnerProcess implements AutoCloseable {
    private static final Duration END = Duration.ofSeconds(20);

    private final Child child;
    private final String address;
    private final Deque<String> lines = new ArrayDeque<>();

    /// @param arguments of the [Partner], after its own address
    PartnerProcess(SoakPath path, String address, long seed, List<String> arguments) throws IOException {
        this.address = address;
        // A JVM that starts fast, is small, and has no compiler threads that compete with the traffic.
        List<String> options = new ArrayList<>(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        options.addAll(path.properties(seed));
        List<String> all = new ArrayList<>(List.of(address));
        all.addAll(arguments);
        child = Child.java("partner at " + address, options, Partner.class, all);
    }

    String address() {
        return address;
    }

    void order(String line) {
        child.send(line);
    }

    /// Waits for the answer that begins with `word`, and returns the rest of it.
    ///
    /// @param meanwhile work to repeat while waiting
    String await(String word, Duration limit, Runnable meanwhile) {
        String[] rest = new String[1];
        new Deadline(limit, () -> this + " does not say '" + word + "'" + child.lastWords()).await(() -> {
            meanwhile.run();
            lines.addAll(child.rest());
            while (rest[0] == null && !lines.isEmpty()) {
                rest[0] = match(lines.remove(), word);
            }
            if (rest[0] == null && !child.isAlive() && lines.addAll(child.rest())) {
                rest[0] = match(lines.remove(), word);
            }
            if (rest[0] == null && !child.isAlive()) {
                throw new SoakFailure(this + " ended before it said '" + word + "'" + child.lastWords());
            }
            return rest[0] != null;
        });
        return rest[0];
    }

    private String match(String line, String word) {
        if (line.equals(word) || line.startsWith(word + " ")) {
            return line.substring(word.length()).trim();
        }
        if (line.startsWith("wrong") || line.startsWith("broken")) {
            throw new SoakFailure(this + " says: " + line);
        }
        return null;
    }

    /// `kill -9`.
    void kill() {
        signal("KILL");
        try {
            child.awaitEnd(END);
        } catch (IOException e) {
            throw new SoakFailure(this + " outlives kill -9", e);
        } catch (InterruptedException e) {
            throw new SoakFailure("interrupted", e);
        }
    }

    void stop() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            child.signal(name);
        } catch (IOException e) {
            throw new SoakFailure("kill -" + name + " of " + this, e);
        } catch (InterruptedException e) {
            throw new SoakFailure("interrupted", e);
        }
    }

    @Override
    public String toString() {
        return "the partner at " + address + " (process " + child.pid() + ")";
    }

    @Override
    public void close() {
        child.close();
    }
}
