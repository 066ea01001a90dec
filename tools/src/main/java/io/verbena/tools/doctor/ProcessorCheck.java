package io.verbena.tools.doctor;

import java.util.List;

/// On a single processor, programs that poll and the device take turns.
record ProcessorCheck(int processors) implements Check {
    static ProcessorCheck here() {
        return new ProcessorCheck(Runtime.getRuntime().availableProcessors());
    }

    @Override
    public List<Finding> run(Machine machine) {
        return List.of(
                processors > 1
                        ? Finding.ok("processors", String.valueOf(processors))
                        : Finding.warning(
                                "processors",
                                "only one: a program that polls keeps its peer on this machine waiting",
                                "wait on channels instead of polling, or give the machine or container two processors"));
    }
}
