package io.verbena.lab;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.ConformanceReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

/// Runs every contract on one pair of devices: `Main PAIR FOLDER`. Leaves the results in the folder as JUnit's XML and
/// as `conformance-PAIR.tsv`; ends with 1 when a test failed or none passed.
public final class Main {
    private static final Map<String, Class<? extends AllContracts>> PAIRS = Map.of(
            "native-native", NativeNative.class,
            "soft-native", SoftNative.class,
            "native-soft", NativeSoft.class);

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2 || !PAIRS.containsKey(arguments[0])) {
            System.err.println("give a pair of devices, one of " + PAIRS.keySet() + ", and a folder for the results");
            System.exit(2);
        }
        String pair = arguments[0];
        Path folder = Files.createDirectories(Path.of(arguments[1]));
        System.setProperty(
                ConformanceReport.FILE_PROPERTY,
                folder.resolve("conformance-" + pair + ".md").toString());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(PAIRS.get(pair)))
                .configurationParameter("junit.jupiter.execution.timeout.default", "300 s")
                .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true")
                .build();
        Progress progress = new Progress();
        Path reports = folder.resolve("junit");
        Files.createDirectories(reports);
        var xml = new LegacyXmlReportGeneratingListener(reports, new PrintWriter(System.err, true));
        LauncherFactory.create().execute(request, progress, xml);
        Files.move(
                reports.resolve("TEST-junit-jupiter.xml"),
                reports.resolve("TEST-" + pair + ".xml"),
                StandardCopyOption.REPLACE_EXISTING);
        System.out.println(progress.summary());
        System.exit(progress.isGood() ? 0 : 1);
    }
}
