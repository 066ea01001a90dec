package io.verbena.bench.pair;

import com.sun.management.ThreadMXBean;
import io.verbena.bench.side.Measurement;
import io.verbena.report.measure.UsageMeter;
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

/// The program in each JVM of a [PairContestant]: `Worker SIDE ROLE [ARGUMENTS]`, where SIDE is a class that implements
/// [BenchSide] and takes the arguments. It takes orders, one per line:
///
/// - `connect ADDRESS`: answers `connected` (a client's; a server says `address ADDRESS` by itself, later
///   `connected`)
/// - `run MEASUREMENT COUNT`: answers `ready` (a server's), then `done CPU-NS BYTES [RESULT]`
/// - `counters`: answers `counters NAME=VALUE;...`
/// - `events`: answers `events NAME=VALUE;...`, what was counted during the last run
/// - `compiled`: waits until the JVM's compilers are idle, and answers `compiled MS`, their total time
/// - `thread`: answers `thread ID`, the kernel's name of the thread that measures
/// - any other word is an order for the side ([BenchSide#obey]), and is answered with the same word and its answer
///
/// Errors are answered with `error TEXT`. The process ends soon after its standard input does, even in a loop.
public final class Worker {
    /// Time for a worker that is not in a loop to close its objects.
    private static final long GRACE_NS = 300_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

    private final BenchSide side;
    private final boolean server;
    private final Samples samples = new Samples();
    private final UsageMeter usage = new UsageMeter();
    private Events events = Events.NONE;

    private Worker(BenchSide side, boolean server) {
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
            BenchSide side = (BenchSide) maker.newInstance(rest);
            Worker worker = new Worker(side, arguments[1].equals(PairContestant.SERVER));
            worker.begin();
            while (true) {
                worker.obey(lines.take());
            }
        } catch (Throwable e) { // any error must be reported to the benchmark
            say("error " + explain(e));
            Runtime.getRuntime().halt(1);
        }
    }

    /// The parent process may end at any time, also while the other thread spins.
    private static void readOrders(BlockingQueue<String> lines) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException gone) {
            // an error is the end, too
        }
        lines.add("end");
        LockSupport.parkNanos(GRACE_NS);
        Thread.ofPlatform().daemon().start(() -> {
            LockSupport.parkNanos(GRACE_NS);
            Runtime.getRuntime().halt(0);
        });
        System.exit(0); // deletes files that are to be deleted on exit
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
            case "counters" -> say("counters " + new Events(side.counters()));
            case "events" -> say("events " + events);
            case "end" -> {
                side.close();
                Runtime.getRuntime().halt(0);
            }
            case "compiled" -> {
                UsageMeter.awaitQuiet();
                say("compiled " + COMPILER.getTotalCompilationTime());
            }
            case "thread" -> say("thread " + threadId());
            default -> say(word + " " + side.obey(word, rest));
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
        Events before = Events.now(side);
        usage.start();
        // Inside what the meter measures: reading the times of all threads allocates, too.
        long allocatedBefore = THREADS.getTotalThreadAllocatedBytes();
        side.run(measurement, messages, samples);
        long allocatedByAll = THREADS.getTotalThreadAllocatedBytes() - allocatedBefore;
        usage.stop();
        long allocated = side.allocatesElsewhere() ? allocatedByAll : usage.allocated();
        events = Events.now(side).since(before);
        String result =
                server ? "" : " " + samples.result(measurement, messages).toLine();
        say("done " + usage.cpuNs() + " " + allocated + result);
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
