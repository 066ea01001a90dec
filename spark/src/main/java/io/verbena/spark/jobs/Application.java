package io.verbena.spark.jobs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;

/// A Spark application on this host: a driver and two executors, each a process of its own.
final class Application {
    private static final int LINES_IN_ERROR = 60;
    private static final Pattern APPLICATION = Pattern.compile("Connected to Spark cluster with app ID (app-[0-9-]+)");

    /// The folder of this module.
    private final Path module;

    private final Way way;

    /// What the driver's command is passed to, such as `ip netns exec NAME`.
    private List<String> prefix = List.of();

    /// Where the driver listens.
    private String address;

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> driverOptions = new ArrayList<>();
    private final List<String> executorOptions = new ArrayList<>();
    private List<String> lines = List.of();

    Application(Path module, Way way) {
        this.module = module;
        this.way = way;
        at(List.of(), Loopback.address(), "local-cluster[2,1,1024]");
        set("spark.app.name", "verbena");
        set("spark.ui.enabled", "false");
        // Executors of one host would read each other's files otherwise.
        set("spark.shuffle.readHostLocalDisk", "false");
        // Else it depends on chance how much is local.
        set("spark.shuffle.reduceLocality.enabled", "false");
        set("spark.sql.shuffle.partitions", "8");
        set("spark.sql.autoBroadcastJoinThreshold", "-1");
        set("spark.sql.adaptive.advisoryPartitionSizeInBytes", "2m");
        set("spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes", "4m");
        set("spark.sql.adaptive.skewJoin.skewedPartitionFactor", "2");
    }

    /// Where the driver runs, and which master has executors for it. Otherwise all are processes at one address.
    Application at(List<String> newPrefix, String newAddress, String master) {
        prefix = newPrefix;
        address = newAddress;
        set("spark.driver.host", address);
        set("spark.driver.bindAddress", address);
        return set("spark.master", master);
    }

    Application set(String name, String value) {
        settings.put(name, value);
        return this;
    }

    /// Where map outputs are written.
    Application localDirectory(Path folder) {
        return set("spark.local.dir", folder.toString());
    }

    /// An option for the JVMs of driver and executors.
    Application option(String option) {
        driverOptions.add(option);
        return executorOption(option);
    }

    Application executorOption(String option) {
        executorOptions.add(option);
        return this;
    }

    /// Runs jobs to their end. The words are those of [Driver].
    List<Result> run(Duration timeout, long bytes, String... words) throws IOException, InterruptedException {
        Path home = home(module);
        Path log = Files.createTempFile(home, way.name().toLowerCase() + "-", ".log");
        ProcessBuilder builder = new ProcessBuilder(command(home, bytes, words)).redirectErrorStream(true);
        builder.environment().putAll(environment(home, address));
        builder.redirectOutput(log.toFile());
        Process process = builder.start();
        boolean hasEnded = false;
        try {
            hasEnded = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            if (!hasEnded) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        lines = Files.readAllLines(log);
        if (!hasEnded || process.exitValue() != 0) {
            throw new IllegalStateException("the driver %s; its log is %s\n%s"
                    .formatted(
                            hasEnded ? "ended with exit code " + process.exitValue() : "did not end within " + timeout,
                            log,
                            tail()));
        }
        return lines.stream()
                .map(Result::parse)
                .filter(result -> result != null)
                .toList();
    }

    /// What processes of Spark need to know, which listen at the address.
    static Map<String, String> environment(Path home, String address) {
        return Map.of(
                "SPARK_HOME",
                home.toString(),
                "SPARK_SCALA_VERSION",
                "2.13",
                "SPARK_LOCAL_IP",
                address,
                "SPARK_LOCAL_HOSTNAME",
                address,
                "JAVA_HOME",
                System.getProperty("java.home"));
    }

    /// The beginning of a command that runs Java as Spark needs it.
    static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().split(" ")));
        return command;
    }

    /// What the driver has printed.
    List<String> lines() {
        return lines;
    }

    /// What the executors have printed.
    List<String> executorLines() throws IOException {
        String id = lines.stream()
                .flatMap(line -> APPLICATION.matcher(line).results())
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Spark did not say the application's name\n" + tail()));
        List<String> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(module.resolve("target/home/work").resolve(id))) {
            for (Path file : files.filter(file -> file.endsWith("stderr") || file.endsWith("stdout"))
                    .toList()) {
                all.addAll(Files.readAllLines(file));
            }
        }
        return all;
    }

    private String tail() {
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_IN_ERROR), lines.size()));
    }

    private List<String> command(Path home, long bytes, String... words) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(java());
        command.add("-Xmx1g");
        command.addAll(driverOptions);
        command.addAll(way.options(module));
        executorOptions.addAll(way.options(module));
        settings.putIfAbsent("spark.local.dir", home.resolve("local").toString());
        set("spark.executor.extraClassPath", Way.jar(module).toString());
        set("spark.executor.extraJavaOptions", String.join(" ", executorOptions));
        way.settings().forEach(this::set);
        settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", Way.jar(module) + ":" + home.resolve("jars") + "/*"));
        command.add(Driver.class.getName());
        command.add(Long.toString(bytes));
        command.addAll(List.of(words));
        return command;
    }

    /// A folder as Spark's own distribution has it, with links to the jars that Maven fetched.
    static Path home(Path module) throws IOException {
        Path home = module.resolve("target/home");
        Path jars = Files.createDirectories(home.resolve("jars"));
        Path release = home.resolve("RELEASE"); // which jars there are links to
        String wanted = Files.readString(module.resolve("target/spark.path")).strip();
        if (!Files.exists(release) || !Files.readString(release).equals(wanted)) {
            Files.deleteIfExists(release);
            removeLinks(jars);
            for (String jar : wanted.split(":")) {
                Files.createSymbolicLink(jars.resolve(Path.of(jar).getFileName()), Path.of(jar));
            }
            Files.writeString(release, wanted);
        }
        return home;
    }

    private static void removeLinks(Path folder) throws IOException {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(folder)) {
            for (Path link : links) {
                Files.delete(link);
            }
        }
    }
}
