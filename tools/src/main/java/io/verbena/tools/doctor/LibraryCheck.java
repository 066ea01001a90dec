package io.verbena.tools.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The libraries of rdma-core, under the names that the dynamic linker searches for, and their versions.
final class LibraryCheck implements Check {
    private static final List<String> LIBRARIES = List.of("libibverbs.so.1", "librdmacm.so.1");
    private static final List<String> FOLDERS = List.of(
            "usr/local/lib",
            "usr/lib/x86_64-linux-gnu",
            "usr/lib/aarch64-linux-gnu",
            "usr/lib64",
            "usr/lib",
            "lib/x86_64-linux-gnu",
            "lib/aarch64-linux-gnu",
            "lib64",
            "lib");
    private static final int OLDEST = 44;
    /// rdma-core ends the file's name with its own version: `libibverbs.so.1.14.44.0`.
    private static final Pattern VERSION = Pattern.compile("\\.so\\.1\\.\\d+\\.(\\d+)\\.(\\d+)$");
    private static final String INSTALL =
            "apt install rdma-core ibverbs-providers librdmacm1 (dnf install rdma-core libibverbs librdmacm)";

    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.isLinux()) {
            return List.of(Finding.warning("rdma-core", "adapters are used on Linux only", "use the software device"));
        }
        List<Finding> findings = new ArrayList<>();
        for (String library : LIBRARIES) {
            findings.add(find(machine, library)
                    .map(file -> judge(library, file))
                    .orElseGet(() -> Finding.warning(library, "not found: no adapters", INSTALL)));
        }
        findings.addAll(drivers(machine));
        return findings;
    }

    private static Optional<Path> find(Machine machine, String library) {
        return FOLDERS.stream()
                .flatMap(folder -> machine.target(folder + "/" + library).stream())
                .findFirst();
    }

    private static Finding judge(String library, Path file) {
        Matcher version = VERSION.matcher(file.getFileName().toString());
        if (!version.find()) {
            return Finding.ok(library, file + ", version not in its name");
        }
        String text = "rdma-core " + version.group(1) + "." + version.group(2) + ", " + file;
        return Integer.parseInt(version.group(1)) >= OLDEST
                ? Finding.ok(library, text)
                : Finding.warning(library, text + "; older than " + OLDEST + ", which is untested", INSTALL);
    }

    /// libibverbs finds a device only if the library of its driver is installed, too.
    private static List<Finding> drivers(Machine machine) {
        for (String folder : FOLDERS) {
            List<String> drivers = machine.names(folder + "/libibverbs").stream()
                    .map(name -> name.replaceFirst("^lib", "").replaceFirst("-rdmav\\d+\\.so$", ""))
                    .toList();
            if (!drivers.isEmpty()) {
                return List.of(Finding.ok("drivers", String.join(" ", drivers)));
            }
        }
        boolean library = find(machine, LIBRARIES.getFirst()).isPresent();
        return library
                ? List.of(Finding.warning(
                        "drivers", "libibverbs has none: it will show no device", "apt install ibverbs-providers"))
                : List.of();
    }
}
