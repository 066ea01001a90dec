package io.verbena.spark.jobs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The nearest to two hosts that one machine offers: two network namespaces of Linux, connected by a pair of virtual
/// Ethernet devices, with Spark's own master in the first, and a worker in each. Needs root. Ends with its close.
final class TwoHosts implements AutoCloseable {
    /// Of the addresses that are reserved for benchmarks (RFC 2544); they exist inside the namespaces only.
    private static final List<String> ADDRESSES = List.of("198.18.0.1", "198.18.0.2");

    static final String NETWORK = "198.18.0.0/30";
    private static final String DEVICE = "spark0";
    private static final int PORT = 7077;
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private static final String PREFIX = "verbena-spark-";
    private static final Path NAMESPACES = Path.of("/var/run/netns");

    private final List<String> names = List.of(name("first"), name("second"));

    /// The master and the workers.
    private final List<Process> processes = new ArrayList<>();

    private final Path home;
    private final Path log;

    TwoHosts(Path module) throws IOException {
        home = Application.home(module);
        log = Files.createTempFile(home, "hosts-", ".log");
        try {
            removeLeftovers();
            connect();
            start(0, "org.apache.spark.deploy.master.Master", "--port", Integer.toString(PORT));
            awaitLines(1, "New state: ALIVE");
            for (int host = 0; host < names.size(); host++) {
                start(host, "org.apache.spark.deploy.worker.Worker", "--cores", "1", "--memory", "2g", master());
            }
            awaitLines(names.size(), "Successfully registered with master");
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static String name(String host) {
        return PREFIX + ProcessHandle.current().pid() + "-" + host;
    }

    /// Those of processes that were killed.
    private static void removeLeftovers() throws IOException {
        File[] left = NAMESPACES.toFile().listFiles((folder, name) -> name.matches(PREFIX + "[0-9]+-.*"));
        for (File namespace : left == null ? new File[0] : left) {
            long pid = Long.parseLong(namespace.getName().split("-")[2]);
            if (ProcessHandle.of(pid).isEmpty()) {
                ip("netns", "delete", namespace.getName());
            }
        }
    }

    private void connect() throws IOException {
        for (String name : names) {
            ip("netns", "add", name);
        }
        ip(("link add %s mtu 9000 netns %s type veth peer name %s mtu 9000 netns %s"
                        .formatted(DEVICE, names.getFirst(), DEVICE, names.getLast()))
                .split(" "));
        for (int host = 0; host < names.size(); host++) {
            ip("-n", names.get(host), "address", "add", ADDRESSES.get(host) + "/30", "dev", DEVICE);
            ip("-n", names.get(host), "link", "set", "lo", "up");
            ip("-n", names.get(host), "link", "set", DEVICE, "up");
        }
    }

    private static void ip(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            if (!process.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("%s failed: %s"
                        .formatted(
                                String.join(" ", command),
                                new String(process.getInputStream().readAllBytes())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> inside(int host) {
        return List.of("ip", "netns", "exec", names.get(host));
    }

    private void start(int host, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(inside(host));
        command.addAll(Application.java());
        command.addAll(List.of("-Xmx512m", "-cp", home.resolve("jars") + "/*", program));
        command.addAll(List.of("--host", ADDRESSES.get(host), "--webui-port", "0"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(Application.environment(home, ADDRESSES.get(host)));
        processes.add(builder.start());
    }

    private void awaitLines(int count, String text) throws IOException {
        long beginNs = System.nanoTime();
        while (Files.readAllLines(log).stream()
                        .filter(line -> line.contains(text))
                        .count()
                < count) {
            if (System.nanoTime() - beginNs > LONGEST.toNanos()
                    || !processes.stream().allMatch(Process::isAlive)) {
                throw new IOException("%s does not have '%s' %d times".formatted(log, text, count));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private static String master() {
        return "spark://" + ADDRESSES.getFirst() + ":" + PORT;
    }

    /// Lets the driver of an application run in the first namespace, with an executor in each.
    Application use(Application application) {
        return application
                .at(inside(0), ADDRESSES.getFirst(), master())
                .set("spark.executor.cores", "1")
                .set("spark.executor.memory", "1g");
    }

    @Override
    public void close() {
        processes.reversed().forEach(Process::destroy); // a worker ends its executors
        for (Process process : processes) {
            try {
                process.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (String name : names) {
            try {
                if (Files.exists(NAMESPACES.resolve(name))) {
                    ip("netns", "delete", name);
                }
            } catch (IOException e) {
                throw new IllegalStateException("the namespace stays: " + e.getMessage(), e);
            }
        }
    }
}
