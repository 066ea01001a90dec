package io.verbena.tools.doctor;

import java.util.List;

/// One thing to look at. A check never throws for what it finds: it reports.
@FunctionalInterface
interface Check {
    /// What was found, in the order to show it; empty when there is nothing to say on such a machine.
    List<Finding> run(Machine machine);
}
