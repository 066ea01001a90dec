package io.verbena.lab;

import java.util.HashMap;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/// Prints a line for each contract when it ends, each failure, and tests that take long.
final class ContractProgress implements TestExecutionListener {
    private static final long LONG_NANOS = 2_000_000_000L;
    private static final int TRACE_LINES = 6;

    private final Map<String, Long> started = new HashMap<>();
    private int passed;
    private int failed;
    private int skipped;

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) {
            skipped++;
        } else if (!reason.contains("verbena.contracts")) {
            System.out.println("not run: " + test.getDisplayName() + ", " + reason);
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        long nanos = System.nanoTime() - started.getOrDefault(test.getUniqueId(), System.nanoTime());
        String seconds = "%.1f s".formatted(nanos / 1e9);
        // Containers of tests fail, too: a test factory, or the check that nothing is left open after the tests.
        if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            count(result);
        }
        result.getThrowable()
                .filter(thrown -> result.getStatus() == TestExecutionResult.Status.FAILED)
                .ifPresent(thrown -> printFailure(test, thrown));
        if (test.isTest() && nanos > LONG_NANOS) {
            System.out.println("  slow: " + name(test) + " " + seconds);
        } else if (test.getSource().orElse(null) instanceof ClassSource) {
            System.out.printf("%s ended after %s: %s so far%n", test.getDisplayName(), seconds, summary());
        }
    }

    private void count(TestExecutionResult result) {
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed++;
            case FAILED -> failed++;
            case ABORTED -> skipped++;
        }
    }

    private static void printFailure(TestIdentifier test, Throwable thrown) {
        System.out.println("FAILED " + name(test) + ": " + thrown);
        for (Throwable cause = thrown.getCause(); cause != null; cause = cause.getCause()) {
            System.out.println("    caused by " + cause);
        }
        int lines = 0;
        for (StackTraceElement at : thrown.getStackTrace()) {
            if (isOurs(at.getClassName()) && lines++ < TRACE_LINES) {
                System.out.println("    at " + at);
            }
        }
    }

    private static boolean isOurs(String type) {
        return type.startsWith("io.verbena.") && !type.endsWith("UnsupportedVerbs");
    }

    /// Contract, method and, for a dynamic test, its name.
    private static String name(TestIdentifier test) {
        StringBuilder name = new StringBuilder();
        for (var segment : test.getUniqueIdObject().getSegments()) {
            String value = segment.getValue();
            switch (segment.getType()) {
                case "nested-class" -> name.append(value.substring(value.lastIndexOf('$') + 1));
                case "method", "test-factory" -> name.append('#').append(value.substring(value.indexOf('#') + 1));
                case "dynamic-test" ->
                    name.append(" [").append(test.getDisplayName()).append(']');
                default -> {
                    continue;
                }
            }
        }
        return name.toString();
    }

    synchronized String summary() {
        return "%d passed, %d failed, %d skipped".formatted(passed, failed, skipped);
    }

    synchronized boolean isGood() {
        return failed == 0 && passed > 0;
    }
}
