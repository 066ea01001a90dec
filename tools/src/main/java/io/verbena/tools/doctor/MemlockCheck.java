package io.verbena.tools.doctor;

import java.util.List;

/// The limit of pinned memory: adapters need it to register memory, the software device does not.
final class MemlockCheck implements Check {
    private static final long ENOUGH = 64L << 20;
    private static final String NAME = "Max locked memory";

    @Override
    public List<Finding> run(Machine machine) {
        return machine.lines("proc/self/limits").stream()
                .filter(line -> line.startsWith(NAME))
                .map(line ->
                        judge(machine, line.substring(NAME.length()).strip().split("\\s+")[0]))
                .toList();
    }

    private static Finding judge(Machine machine, String limit) {
        if (limit.equals("unlimited")) {
            return Finding.ok("memlock", limit);
        }
        long bytes = Long.parseLong(limit);
        String text = (bytes >> 10) + " KiB may be pinned";
        if (bytes >= ENOUGH) {
            return Finding.ok("memlock", text);
        }
        return Adapters.any(machine)
                ? Finding.warning(
                        "memlock", text + ": registering memory on an adapter soon fails", "ulimit -l unlimited")
                : Finding.ok("memlock", text, "before you use an adapter: ulimit -l unlimited");
    }
}
