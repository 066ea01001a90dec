package io.verbena.tools.doctor;

import io.verbena.soft.status.StatusDirectory;
import java.util.List;

/// All checks, in the order in which they are shown: first those for every device, then those for adapters.
final class Checkup {
    private Checkup() {}

    /// The checks of this machine. A new check is a new line here.
    static List<Check> checks() {
        return List.of(
                JavaCheck.here(),
                ProcessorCheck.here(),
                SoftDeviceCheck.here(),
                new PortCheck(),
                ShardCheck.here(),
                new StatusDirectoryCheck(StatusDirectory::ofUser),
                new SocketBufferCheck(),
                new MtuCheck(),
                SharedMemoryCheck.here(),
                new ContainerCheck(),
                new LibraryCheck(),
                new ModuleCheck(),
                new DeviceFileCheck(),
                new AdapterCheck(),
                new GidCheck(),
                new MemlockCheck(),
                ProviderCheck.here());
    }

    static List<Finding> run(List<Check> checks, Machine machine) {
        boolean hasAdapter = Adapters.any(machine);
        return checks.stream()
                .filter(check -> hasAdapter || !check.needsAdapter())
                .flatMap(check -> check.run(machine).stream())
                .toList();
    }

    /// Whether programs can run here at all.
    static boolean isUsable(List<Finding> findings) {
        return findings.stream().noneMatch(finding -> finding.level() == Level.PROBLEM);
    }
}
