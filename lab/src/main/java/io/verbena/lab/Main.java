package io.verbena.lab;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.ConformanceReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Runs every contract on pairs of devices: `Main FOLDER PAIR...`. Writes the results of each pair into the folder as
/// JUnit's XML and as `conformance-PAIR.tsv`. Exits with 1 when a test failed or none passed.
public final class Main {
    private static final Map<String, Class<? extends AllContracts>> PAIRS = Map.of(
            "native-native", NativeNative.class,
            "soft-native", SoftNative.class,
            "native-soft", NativeSoft.class);

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        List<String> pairs = List.of(arguments).subList(Math.min(1, arguments.length), arguments.length);
        if (pairs.isEmpty() || !PAIRS.keySet().containsAll(pairs)) {
            System.err.println("give a folder for the results and pairs of devices, of " + PAIRS.keySet());
            System.exit(2);
        }
        Path folder = Path.of(arguments[0]);
        StringBuilder summary = new StringBuilder();
        boolean good = true;
        for (String pair : pairs) {
            System.out.println("== " + pair);
            ContractProgress progress = run(pair, folder);
            good &= progress.isGood();
            summary.append(summary.isEmpty() ? "" : "; ")
                    .append(pair)
                    .append(": ")
                    .append(progress.summary());
        }
        System.out.println(summary);
        System.exit(good ? 0 : 1);
    }

    private static ContractProgress run(String pair, Path folder) throws IOException {
        System.setProperty(
                ConformanceReport.FILE_PROPERTY,
                folder.resolve("conformance-" + pair + ".md").toString());
        return new ContractRun(pair, List.of(PAIRS.get(pair)), "300 s").run(folder);
    }
}
