package io.verbena.bench.pair;

import io.verbena.bench.side.Measurement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/// The program in each JVM of a [PairContestant]: `Worker SIDE ROLE [ARGUMENTS]`, where SIDE is a class that
/// implements [Side] and takes the arguments. Told by lines:
///
/// - `connect ADDRESS`: answers `connected` (a client's; a server says `address ADDRESS` by itself, later
///   `connected`)
/// - `run MEASUREMENT COUNT`: answers `ready` (a server's), then `done CPU-NS BYTES [RESULT]`
/// - `counters`: answers `counters NAME=VALUE;...`
/// - `compiled`: answers `compiled MS`, how long the JVM's compilers worked so far, as soon as they rest
/// - `thread`: answers `thread ID`, the kernel's name of the thread that measures
///
/// What goes wrong is answered by `error TEXT`. It ends soon after its standard input does, in whatever loop it is.
public final class Worker {
    /// For a worker that is not in a loop to close what it has open.
    private static final long GRACE_NS = 300_000_000;

    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private final Side side;
    private final boolean server;
    private final Samples samples = new Samples();
    private final Usage usage = new Usage();

    private Worker(Side side, boolean server) {
        this.side = side;
        this.server = server;
    }

    public static void main(String[] arguments) throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("orders").start(() -> readOrders(lines));
        try {
            List<String> rest = List.of(arguments).subList(2, arguments.length);
            Constructor<?> maker = Class.forName(arguments[0]).getDeclaredConstructor(List.class);
            maker.setAccessible(true);
            Side side = (Side) maker.newInstance(rest);
            Worker worker = new Worker(side, arguments[1].equals(PairContestant.SERVER));
            worker.begin();
            while (true) {
                worker.obey(lines.take());
            }
        } catch (Throwable e) { // whatever it is, the benchmark must know
            say("error " + explain(e));
            Runtime.getRuntime().halt(1);
        }
    }

    /// Whoever started this process may be gone at any time, also while the other thread spins.
    private static void readOrders(BlockingQueue<String> lines) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException gone) {
            // the same as the end
        }
        lines.add("end");
        LockSupport.parkNanos(GRACE_NS);
        Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(GRACE_NS);
            Runtime.getRuntime().halt(0);
        });
        System.exit(0); // files that are deleted on exit are
    }

    private void begin() throws Exception {
        if (server) {
            say("address " + side.address());
            side.accept();
            say("connected");
        }
    }

    private void obey(String line) throws Exception {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        String rest = space < 0 ? "" : line.substring(space + 1);
        switch (word) {
            case "connect" -> {
                side.connect(rest);
                say("connected");
            }
            case "run" -> run(rest);
            case "counters" -> say("counters " + counters());
            case "end" -> {
                side.close();
                Runtime.getRuntime().halt(0);
            }
            case "compiled" -> {
                Usage.awaitQuiet();
                say("compiled " + COMPILER.getTotalCompilationTime());
            }
            case "thread" -> say("thread " + threadId());
            default -> throw new IllegalArgumentException("not an order: " + line);
        }
    }

    private void run(String order) throws Exception {
        int at = order.lastIndexOf(' ');
        Measurement measurement = Measurement.parse(order.substring(0, at));
        long messages = Long.parseLong(order.substring(at + 1));
        samples.restart();
        side.prepare(measurement, messages);
        if (server) {
            say("ready");
        }
        usage.start();
        side.run(measurement, messages, samples);
        usage.stop();
        String result =
                server ? "" : " " + samples.result(measurement, messages).toLine();
        say("done " + usage.cpuNs() + " " + usage.allocated() + result);
    }

    private String counters() {
        StringBuilder text = new StringBuilder();
        side.counters()
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append(';'));
        return text.toString();
    }

    private static String threadId() throws IOException {
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        return self.getFileName().toString();
    }

    private static void say(String line) {
        System.out.println(line.replace('\n', ' '));
    }

    private static String explain(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null
                && (cause.getMessage() == null || cause.getMessage().startsWith("java."))) {
            cause = cause.getCause();
        }
        StackTraceElement[] trace = cause.getStackTrace();
        return cause + (trace.length > 0 ? " at " + trace[0] : "");
    }
}
