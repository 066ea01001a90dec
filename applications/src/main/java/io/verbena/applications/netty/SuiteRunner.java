package io.verbena.applications.netty;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs Netty's tests of sockets in this process, and prints a line for each test that [SuiteResults] reads. Arguments:
/// the simple names of classes; none for all, or for the usual ones of [AtAddress].
public final class SuiteRunner implements TestExecutionListener {
    static final String PACKAGE = "io.netty.testsuite.transport.socket";

    private final Map<String, Long> startedNs = new HashMap<>();
    private TestPlan plan;

    private SuiteRunner() {}

    /// Runs the tests.
    public static void main(String[] classes) {
        List<? extends DiscoverySelector> selectors = AtAddress.ADDRESS == null
                ? own(classes)
                : AtAddress.tests(classes).stream()
                        .map(DiscoverySelectors::selectClass)
                        .toList();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(ClassNameFilter.includeClassNamePatterns(".*Test"))
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .build();
        LauncherFactory.create().execute(request, new SuiteRunner());
        // Netty's threads are not all daemons.
        System.exit(0);
    }

    private static List<? extends DiscoverySelector> own(String... classes) {
        return classes.length == 0
                ? List.of(selectPackage(PACKAGE))
                : Arrays.stream(classes)
                        .map(name -> selectClass(PACKAGE + "." + name))
                        .toList();
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        startedNs.put(test.getUniqueId(), System.nanoTime());
        if (test.isTest()) {
            print("start", test, 0, "");
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) {
            print("skipped", test, 0, reason);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
        if (!test.isTest() && !failed) {
            return;
        }
        long timeMs = (System.nanoTime() - startedNs.get(test.getUniqueId())) / 1_000_000;
        String status = switch (result.getStatus()) {
            case SUCCESSFUL -> "passed";
            case ABORTED -> "skipped";
            case FAILED -> "failed";
        };
        print(
                status,
                test,
                timeMs,
                result.getThrowable().map(Throwable::toString).orElse(""));
        if (failed) {
            result.getThrowable().ifPresent(Throwable::printStackTrace);
        }
    }

    // Parameterized tests have the name of their method in their parent.
    private String name(TestIdentifier test) {
        String name = test.getDisplayName();
        TestIdentifier parent = plan.getParent(test).orElse(test);
        if (parent.getSource().orElse(null) instanceof MethodSource method) {
            return method.getMethodName() + " " + name;
        }
        return name;
    }

    private static String className(TestIdentifier test) {
        if (test.getSource().orElse(null) instanceof MethodSource method) {
            return method.getClassName().substring(method.getClassName().lastIndexOf('.') + 1);
        }
        return test.getDisplayName();
    }

    private void print(String status, TestIdentifier test, long timeMs, String reason) {
        String line = String.join(
                "\t", SuiteResults.MARK, status, className(test), name(test), Long.toString(timeMs), reason);
        System.out.println(line.lines().findFirst().orElse(""));
        System.out.flush();
    }
}
