package io.verbena.tools.doctor;

import java.util.List;

/// One check of the machine. A check reports problems; it never throws them.
@FunctionalInterface
interface Check {
    /// The findings, in the order to show them; empty when the check does not apply to the machine.
    List<Finding> run(Machine machine);

    /// Whether the check adds nothing when the kernel has no RDMA device, which is one warning already.
    default boolean needsAdapter() {
        return false;
    }
}
