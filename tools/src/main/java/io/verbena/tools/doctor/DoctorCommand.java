package io.verbena.tools.doctor;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Finds what keeps RDMA from working on this machine, and says what to do about it.
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Checks what RDMA needs on this machine, and says how to fix what is missing.",
        footer = {
            "",
            "Examples:",
            "  verbena doctor            all checks, one line each",
            "  verbena doctor -w         only what could be better",
            "  verbena doctor --json     for programs",
            "",
            "Each line is ok, warning (something works less well, or adapters do not) or problem.",
            "Exit code 1 when there is a problem: neither an adapter nor the software device works."
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final String ROW = "%s  %-18s  %s";
    private static final String REMEDY = " ".repeat(9) + "%-18s  -> %s";

    @Option(names = "--json", description = "Print the findings as JSON.")
    private boolean json;

    @Option(
            names = {"-w", "--warnings"},
            description = "Show only problems.")
    private boolean warnings;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<Finding> findings = Checkup.run(Checkup.checks(), Machine.here());
        boolean usable = Checkup.isUsable(findings);
        if (json) {
            out.println(Json.write(new JsonObject()
                    .with("usable", usable)
                    .with("warnings", count(findings, Level.WARNING))
                    .with("problems", count(findings, Level.PROBLEM))
                    .with("findings", findings.stream().map(Finding::json).toList())));
        } else {
            print(out, findings, warnings);
        }
        return usable ? 0 : 1;
    }

    static void print(PrintWriter out, List<Finding> findings, boolean warningsOnly) {
        for (Finding finding : findings) {
            if (warningsOnly && finding.level() == Level.OK) {
                continue;
            }
            String level = "%-7s".formatted(finding.level().text());
            out.println(ROW.formatted(finding.level().style().on(level), finding.subject(), finding.found()));
            if (!finding.remedy().isEmpty()) {
                out.println(REMEDY.formatted("", finding.remedy()));
            }
        }
        out.println();
        out.println(conclusion(findings));
    }

    private static String conclusion(List<Finding> findings) {
        long warnings = count(findings, Level.WARNING);
        String text = String.format(
                Locale.ROOT,
                "%d ok, %s, %s: ",
                count(findings, Level.OK),
                number(warnings, "warning"),
                number(count(findings, Level.PROBLEM), "problem"));
        if (!Checkup.isUsable(findings)) {
            return Level.PROBLEM.style().on(text + "not usable until the problems are gone");
        }
        Level worst = warnings == 0 ? Level.OK : Level.WARNING;
        return worst.style().on(text + "usable");
    }

    private static String number(long count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    private static long count(List<Finding> findings, Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }
}
