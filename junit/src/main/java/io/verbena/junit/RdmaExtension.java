package io.verbena.junit;

import io.verbena.soft.fabric.SimulatedFabric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/// Gives test methods, and their `@BeforeEach` and `@AfterEach` methods, these parameters:
///
/// - a [SimulatedFabric]: hosts, links with faults, and a virtual clock;
/// - [LoopbackDevices]: real software devices on free loopback addresses;
/// - the [Seed] of all random numbers.
///
/// ```java
/// @ExtendWith(RdmaExtension.class)
/// class EchoTest {
///     @Test
///     @Faults("loss=0.1")
///     void shouldEchoOverALossyNetwork(SimulatedFabric network) { ... }
/// }
/// ```
///
/// All parameters of one test are the same objects; the next test gets new ones. A test fails that leaves something
/// open, with the names of what it left, and also one whose threads failed without anybody noticing. Devices that the
/// test opened by itself are looked at, too, unless tests run in parallel. After every test everything is closed. A
/// test that fails prints its seed with the option that repeats it, and what its devices counted that may tell why.
public final class RdmaExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(RdmaExtension.class);
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";
    private static final Set<Class<?>> TYPES = Set.of(SimulatedFabric.class, LoopbackDevices.class, Seed.class);

    public RdmaExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(type.getSimpleName()
                    + " is made for each test; take it in the test method or in @BeforeEach, not in @BeforeAll or a"
                    + " constructor");
        }
        TestResources resources = resources(context);
        return type == Seed.class
                ? resources.takeSeed()
                : type == SimulatedFabric.class ? resources.network() : resources.devices();
    }

    /// Comes before the test's own `@BeforeEach` methods.
    @Override
    public void beforeEach(ExtensionContext context) {
        resources(context);
    }

    private static TestResources resources(ExtensionContext context) {
        boolean isParallel =
                context.getConfigurationParameter(PARALLEL, Boolean::valueOf).orElse(false);
        return context.getStore(NAMESPACE)
                .computeIfAbsent(
                        TestResources.class,
                        key -> new TestResources(FaultsOfTest.of(context), isParallel ? null : new HostDevices()),
                        TestResources.class);
    }

    /// Comes after the test's own `@AfterEach` methods, which may close things.
    @Override
    public void afterEach(ExtensionContext context) {
        TestResources resources = context.getStore(NAMESPACE).remove(TestResources.class, TestResources.class);
        if (resources == null) {
            return;
        }
        // A test that ran out of time may have left the mark, which would end the waits below.
        boolean interrupted = Thread.interrupted();
        Throwable failure = context.getExecutionException().orElse(null);
        // Of a test that failed before the waits below, in which more may be counted.
        List<String> counters = failure == null ? List.of() : resources.counterNotes();
        AssertionError found = failure instanceof TestAbortedException ? closeQuietly(resources) : check(resources);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null && found != null) {
            failure.addSuppressed(found);
        }
        Throwable told = failure == null ? found : failure;
        if (told != null && !(told instanceof TestAbortedException)) {
            if (resources.isSeedUsed()) {
                tellSeed(context, resources.seed(), told);
            }
            tellCounters(context, failure == null ? resources.counterNotes() : counters, told);
        }
        if (failure == null && found != null) {
            throw found;
        }
    }

    private static AssertionError closeQuietly(TestResources resources) {
        resources.close();
        return null;
    }

    /// Closes everything; null when the test had done so, and all its threads ended well.
    private static AssertionError check(TestResources resources) {
        List<String> open = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        try {
            open.addAll(resources.openObjects());
            // Before the threads are interrupted, which they may tell of as well.
            failures.addAll(resources.unseenFailures());
        } catch (RuntimeException e) {
            failures.add(e);
        }
        try {
            open.addAll(resources.close());
        } catch (RuntimeException e) {
            failures.add(e);
        }
        String faults = resources.complaintOfFaults();
        if (open.isEmpty() && failures.isEmpty()) {
            return faults == null ? null : new AssertionFailedError(faults);
        }
        String text = open.isEmpty()
                ? "a thread of the test failed: " + failures.getFirst()
                : "the test left open: " + String.join("; ", open);
        AssertionError error = new AssertionFailedError(text, failures.isEmpty() ? null : failures.getFirst());
        failures.stream().skip(1).forEach(error::addSuppressed);
        if (faults != null) {
            error.addSuppressed(new TestNote(faults));
        }
        return error;
    }

    private static void tellSeed(ExtensionContext context, Seed seed, Throwable failure) {
        tell(
                "%s failed with seed %d; repeat it with %s".formatted(name(context), seed.value(), seed.option()),
                failure);
        context.publishReportEntry(Seed.PROPERTY, Long.toString(seed.value()));
    }

    private static void tellCounters(ExtensionContext context, List<String> lines, Throwable failure) {
        if (!lines.isEmpty()) {
            tell(name(context) + " failed, and its devices counted:\n  " + String.join("\n  ", lines), failure);
        }
    }

    private static String name(ExtensionContext context) {
        return context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
    }

    /// Prints it, for who looks at the output, and adds it to the failure, for who looks at the report.
    private static void tell(String text, Throwable failure) {
        System.err.println(text);
        failure.addSuppressed(new TestNote(text));
    }
}
