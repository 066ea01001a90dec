package io.verbena.tools.doctor;

import io.verbena.soft.status.StatusDirectory;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.function.Supplier;

/// Whether processes can be seen by `verbena top`. Says nothing when they can.
record StatusDirectoryCheck(Supplier<StatusDirectory> directory) implements Check {
    @Override
    public List<Finding> run(Machine machine) {
        try {
            directory.get().check();
            return List.of();
        } catch (IOException | InvalidPathException e) {
            return List.of(Finding.warning(
                    "top",
                    "'verbena top' sees no process: " + e.getMessage(),
                    "or name another directory by -Dverbena.soft.status.directory= for all processes"));
        }
    }
}
