package io.verbena.lab;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.ConformanceReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

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
        Path reports = Files.createDirectories(folder.resolve("junit"));
        System.setProperty(
                ConformanceReport.FILE_PROPERTY,
                folder.resolve("conformance-" + pair + ".md").toString());
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(PAIRS.get(pair)))
                .configurationParameter("junit.jupiter.execution.timeout.default", "300 s")
                .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true")
                .build();
        ContractProgress progress = new ContractProgress();
        var xml = new LegacyXmlReportGeneratingListener(reports, new PrintWriter(System.err, true));
        LauncherFactory.create().execute(request, progress, xml);
        Files.move(
                reports.resolve("TEST-junit-jupiter.xml"),
                reports.resolve("TEST-" + pair + ".xml"),
                StandardCopyOption.REPLACE_EXISTING);
        return progress;
    }
}
