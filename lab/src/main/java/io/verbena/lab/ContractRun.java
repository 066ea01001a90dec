package io.verbena.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.reporting.legacy.xml.LegacyXmlReportGeneratingListener;

/// Runs contracts in this JVM.
///
/// @param name of the results: `TEST-name.xml` in the folder `junit`
/// @param limit of a test
record ContractRun(String name, List<Class<?>> contracts, String limit) {
    /// @param folder for the results as JUnit's XML
    ContractProgress run(Path folder) throws IOException {
        Path reports = Files.createDirectories(folder.resolve("junit"));
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        contracts.stream().map(DiscoverySelectors::selectClass).toList())
                .configurationParameter("junit.jupiter.execution.timeout.default", limit)
                .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true")
                .build();
        ContractProgress progress = new ContractProgress();
        var xml = new LegacyXmlReportGeneratingListener(reports, new PrintWriter(System.err, true));
        LauncherFactory.create().execute(request, progress, xml);
        Files.move(
                reports.resolve("TEST-junit-jupiter.xml"),
                reports.resolve("TEST-" + name + ".xml"),
                StandardCopyOption.REPLACE_EXISTING);
        return progress;
    }
}
