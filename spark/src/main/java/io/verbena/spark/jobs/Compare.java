package io.verbena.spark.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// `./verbena spark`: runs jobs with Spark as it is and with RDMA, and prints a table of both.
final class Compare {
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private Compare() {}

    public static void main(String[] arguments) throws Exception {
        Path module = Path.of(arguments[0]);
        Options options;
        try {
            options = Options.parse(Arrays.asList(arguments).subList(1, arguments.length));
        } catch (IllegalArgumentException e) {
            System.err.println("verbena spark: " + e.getMessage());
            System.exit(2);
            return;
        }
        if (options.hosts().isEmpty()) {
            System.exit(run(module, options) ? 0 : 1);
        } else {
            System.out.print(ClusterLines.of(Way.jar(module), options.hosts()));
        }
    }

    private static boolean run(Path module, Options options) throws Exception {
        List<Sample> samples = new ArrayList<>();
        List<String> jobs = new ArrayList<>();
        for (int i = 0; i < options.repeats(); i++) {
            options.jobs().forEach(job -> jobs.add(job.name()));
        }
        for (int round = 1; round <= options.rounds(); round++) {
            for (Way way : options.ways()) {
                System.err.printf("Round %d of %d: %s ...%n", round, options.rounds(), way.title());
                new Application(module, way)
                        .run(LONGEST, options.bytes(), jobs.toArray(String[]::new))
                        .forEach(result -> samples.add(new Sample(way, result)));
            }
        }
        Summary summary =
                new Summary(samples, options.jobs().size(), options.jobs().size() * options.repeats());
        System.out.print(summary.table());
        boolean isSame = summary.isSame();
        System.out.println(isSame ? "All ways gave the same results." : "RESULTS DIFFER: " + samples);
        if (options.page() != null) {
            write(Path.of(options.page()), ComparePage.of(summary));
        }
        return isSame;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
        System.out.println("Wrote " + file);
    }
}
