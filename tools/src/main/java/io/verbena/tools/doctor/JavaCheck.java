package io.verbena.tools.doctor;

import java.util.List;
import java.util.stream.Stream;

/// The version of Java, and whether our modules may call native code.
///
/// - `withoutAccess`: those of our modules that may not
record JavaCheck(Runtime.Version version, List<String> withoutAccess) implements Check {
    private static final int NEEDED = 25;
    private static final List<String> CALLERS = List.of("io.verbena.soft", "io.verbena.rdmacore");

    static JavaCheck here() {
        ModuleLayer layer = JavaCheck.class.getModule().getLayer();
        Stream<Module> modules = layer == null ? Stream.of(JavaCheck.class.getModule()) : layer.modules().stream();
        return new JavaCheck(
                Runtime.version(),
                modules.filter(module -> layer == null || CALLERS.contains(module.getName()))
                        .filter(module -> !module.isNativeAccessEnabled())
                        .map(module -> module.isNamed() ? module.getName() : "ALL-UNNAMED")
                        .sorted()
                        .toList());
    }

    @Override
    public List<Finding> run(Machine machine) {
        Finding java = version.feature() >= NEEDED
                ? Finding.ok("Java", version.toString())
                : Finding.problem(
                        "Java",
                        version + ", but " + NEEDED + " or newer is needed",
                        "apt install openjdk-" + NEEDED + "-jdk, or set JAVA_HOME");
        return List.of(java, nativeAccess());
    }

    private Finding nativeAccess() {
        if (withoutAccess.isEmpty()) {
            return Finding.ok("native access", "allowed");
        }
        String modules = String.join(",", withoutAccess);
        return Finding.warning(
                "native access",
                "not allowed for " + modules + ": Java warns of it now, and refuses it in a future release",
                "java --enable-native-access=" + modules + " ...");
    }
}
