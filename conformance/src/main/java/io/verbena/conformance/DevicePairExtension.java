package io.verbena.conformance;

import io.verbena.conformance.bench.DevicePair;
import io.verbena.conformance.bench.Pairing;
import io.verbena.verbs.spi.Availability;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/// Opens a [DevicePair] for each test and closes it; the test fails when something it opened is still open then. When a
/// test fails, the seed of its random numbers goes with the failure.
public final class DevicePairExtension
        implements ExecutionCondition, BeforeEachCallback, AfterEachCallback, TestExecutionExceptionHandler {
    /// System property that repeats a run with the random numbers of an earlier one.
    static final String SEED_PROPERTY = "verbena.seed";

    /// System property that limits a run to some contracts: `Posting,Close`.
    static final String CONTRACTS_PROPERTY = "verbena.contracts";

    private static final Namespace NAMESPACE = Namespace.create(DevicePairExtension.class);

    public DevicePairExtension() {}

    /// The pairing of [RunOn] on the test's class or on one around it.
    static Pairing pairing(ExtensionContext context) {
        ExtensionContext at = context;
        while (at != null) {
            Optional<RunOn> on = at.getTestClass().map(c -> c.getAnnotation(RunOn.class));
            if (on.isPresent()) {
                Class<? extends Pairing> type = on.get().value();
                return context.getRoot().getStore(NAMESPACE).computeIfAbsent(type, t -> create(type), Pairing.class);
            }
            at = at.getParent().orElse(null);
        }
        throw new IllegalStateException(
                "no @RunOn on " + context.getRequiredTestClass().getName()
                        + " or a class around it: say which devices the contract meets");
    }

    private static Pairing create(Class<? extends Pairing> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type.getName() + " needs a constructor without parameters that works", e);
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestClass().isEmpty()) {
            return ConditionEvaluationResult.enabled("not in a class");
        }
        if (!isWanted(context.getRequiredTestClass())) {
            return ConditionEvaluationResult.disabled("not in -D" + CONTRACTS_PROPERTY);
        }
        Pairing pairing = pairing(context);
        Availability availability = pairing.availability();
        if (availability.isAvailable()) {
            return knownDefect(pairing, context)
                    .map(why -> ConditionEvaluationResult.disabled("known defect: " + why))
                    .orElseGet(() -> ConditionEvaluationResult.enabled(pairing.name() + " is available"));
        }
        RuleRecorder.report(context).unavailable(pairing.name(), availability.toString());
        return ConditionEvaluationResult.disabled(pairing.name() + " is " + availability);
    }

    private static boolean isWanted(Class<?> contract) {
        String wanted = System.getProperty(CONTRACTS_PROPERTY, "");
        return wanted.isBlank() || List.of(wanted.split(",")).contains(contract.getSimpleName());
    }

    private static Optional<String> knownDefect(Pairing pairing, ExtensionContext context) {
        return context.getTestMethod()
                .map(method -> method.getDeclaringClass().getSimpleName() + "." + method.getName())
                .map(pairing.knownDefects()::get);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Long wanted = Long.getLong(SEED_PROPERTY);
        long seed = wanted != null ? wanted : System.nanoTime();
        context.getStore(NAMESPACE).put(SEED_PROPERTY, seed);
        Pairing pairing = pairing(context);
        RuleRecorder.report(context)
                .differences(
                        pairing.name(),
                        pairing.leftQuirks().and(pairing.rightQuirks()).describe());
        DevicePair devices = DevicePair.open(pairing);
        context.getStore(NAMESPACE).put(DevicePair.class, new Opened(devices));
        ((Contract) context.getRequiredTestInstance()).use(devices, seed);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Opened opened = context.getStore(NAMESPACE).remove(DevicePair.class, Opened.class);
        if (opened != null) {
            opened.devices().finish(context.getExecutionException().isPresent());
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        if (!(failure instanceof TestAbortedException)) {
            long seed = context.getStore(NAMESPACE).get(SEED_PROPERTY, Long.class);
            String test = context.getTestMethod().map(Method::getName).orElse("the test");
            failure.addSuppressed(new Hint("repeat " + test + " with -D" + SEED_PROPERTY + "=" + seed));
        }
        throw failure;
    }

    /// Keeps JUnit from closing the devices itself, which would hide leaks.
    private record Opened(DevicePair devices) {}

    private static final class Hint extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Hint(String text) {
            super(text, null, false, false);
        }
    }
}
