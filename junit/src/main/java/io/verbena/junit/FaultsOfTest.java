package io.verbena.junit;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.fault.FaultPlan;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The annotation [Faults] that a test has: its own, or that of its class or of a class around it.
///
/// - `place`: the method or class that is annotated, null when none is
record FaultsOfTest(String place, boolean isOfMethod, boolean isTakenInClass, FaultPlan plan) {
    static final Set<Class<?>> NETWORKS = Set.of(SimulatedFabric.class, LoopbackDevices.class);

    static FaultsOfTest of(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        Faults own = method.getAnnotation(Faults.class);
        if (own != null) {
            return new FaultsOfTest(method.getName(), true, false, parse(method.getName(), own));
        }
        boolean isTaken = false;
        for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
            isTaken |= isTakenIn(type);
            Faults found = type.getAnnotation(Faults.class);
            if (found != null) {
                return new FaultsOfTest(type.getSimpleName(), false, isTaken, parse(type.getSimpleName(), found));
            }
        }
        return new FaultsOfTest(null, false, false, FaultPlan.none());
    }

    private static FaultPlan parse(String place, Faults faults) {
        try {
            return FaultPlan.parse(faults.value());
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException("@Faults of " + place + ": " + e.getMessage(), e);
        }
    }

    private static boolean isTakenIn(Class<?> type) {
        return type != null
                && (Arrays.stream(type.getDeclaredMethods())
                                .flatMap(method -> Arrays.stream(method.getParameterTypes()))
                                .anyMatch(NETWORKS::contains)
                        || isTakenIn(type.getSuperclass()));
    }

    /// What is wrong when a test had nothing that can have faults, or null. A class may have tests that need none.
    ///
    /// @param isTaken whether the test was given something that can
    String complaint(boolean isTaken) {
        boolean isFine = place == null || isTaken || !isOfMethod && isTakenInClass;
        return isFine
                ? null
                : "@Faults of " + place
                        + " has no effect: there is no network that it applies to; take a SimulatedFabric"
                        + " or LoopbackDevices as a parameter of the test, or give a device of your own its faults:"
                        + " Rdma.openDevice(address, SoftOptions.defaults().faults(plan))";
    }
}
