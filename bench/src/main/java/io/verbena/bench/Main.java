package io.verbena.bench;

import io.verbena.bench.micro.MicroTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs the benchmarks: the command `./verbena jmh`. Takes JMH's options; without any, a run of a few minutes.
public final class Main {
    private static final int FORKS = 2;
    private static final int WARM_UP = 5;
    private static final TimeValue WARM_UP_TIME = TimeValue.seconds(1);
    /// Many short iterations, so that some are not disturbed by other programs.
    private static final int ITERATIONS = 50;

    private static final TimeValue ITERATION_TIME = TimeValue.milliseconds(20);

    private static final String CALLS = Main.class.getPackageName().replace(".", "\\.") + "\\.From.*";

    private Main() {}

    public static void main(String[] args) throws Exception {
        CommandLineOptions line = new CommandLineOptions(args);
        if (line.shouldHelp()) {
            line.showHelp();
            return;
        }
        if (line.shouldList()) {
            new Runner(line).list();
            return;
        }
        Collection<RunResult> results = new Runner(options(line)).run();
        System.out.println();
        System.out.print(new CostTable(results));
        System.out.print(new MicroTable(results));
    }

    private static Options options(CommandLineOptions line) throws Exception {
        OptionsBuilder builder = new OptionsBuilder();
        builder.parent(line);
        builder.forks(line.getForkCount().orElse(FORKS))
                .warmupIterations(line.getWarmupIterations().orElse(WARM_UP))
                .warmupTime(line.getWarmupTime().orElse(WARM_UP_TIME))
                .measurementIterations(line.getMeasurementIterations().orElse(ITERATIONS))
                .measurementTime(line.getMeasurementTime().orElse(ITERATION_TIME))
                .addProfiler(GCProfiler.class);
        List<String> jvm = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        addStub(builder, jvm);
        return builder.jvmArgsAppend(jvm.toArray(String[]::new)).build();
    }

    /// Without the stub, only the benchmarks that need none are run.
    private static void addStub(OptionsBuilder builder, List<String> jvm) throws Exception {
        Optional<String> missing = Stub.whyMissing();
        if (missing.isPresent()) {
            System.err.println("verbena jmh: the benchmarks of native calls are skipped: " + missing.get());
            builder.exclude(CALLS);
        } else {
            jvm.add("-D" + Stub.PROPERTY + "=" + Stub.compile());
        }
    }
}
