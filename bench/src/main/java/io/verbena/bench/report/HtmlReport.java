package io.verbena.bench.report;

public final class HtmlReport {
    private HtmlReport() {}

    public static String of(Report report) {
        return "";
    }
}
