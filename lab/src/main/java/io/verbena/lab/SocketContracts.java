package io.verbena.lab;

import io.verbena.sockets.contract.KernelContracts;
import java.io.IOException;
import java.nio.file.Path;

/// Runs the contracts of sockets on a device of the kernel, in this JVM.
public final class SocketContracts {
    private SocketContracts() {}

    /// Returns what is wrong, which is empty when all passed.
    ///
    /// @param folder for the results as JUnit's XML
    public static String run(Path folder) throws IOException {
        ContractProgress progress = new ContractRun("sockets", KernelContracts.all(), "120 s").run(folder);
        return progress.isGood() ? "" : progress.summary() + "\n";
    }
}
