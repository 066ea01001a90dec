package io.verbena.tools.doctor;

import java.util.List;

/// Kernel modules: those that adapters need, and loaded drivers.
final class ModuleCheck implements Check {
    private static final List<String> NEEDED = List.of("ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm");
    private static final List<String> DRIVERS = List.of(
            "mlx5_ib",
            "mlx4_ib",
            "irdma",
            "bnxt_re",
            "efa",
            "hns_roce_hw_v2",
            "qedr",
            "iw_cxgb4",
            "erdma",
            "mana_ib",
            "rdma_rxe",
            "siw");

    @Override
    public boolean needsAdapter() {
        return true;
    }

    @Override
    public List<Finding> run(Machine machine) {
        if (!machine.isLinux()) {
            return List.of();
        }
        List<String> missing =
                NEEDED.stream().filter(name -> !isLoaded(machine, name)).toList();
        List<String> drivers =
                DRIVERS.stream().filter(name -> isLoaded(machine, name)).toList();
        Finding core = missing.isEmpty()
                ? Finding.ok("kernel modules", String.join(" ", NEEDED))
                : Finding.warning(
                        "kernel modules",
                        "not loaded: " + String.join(" ", missing) + "; no adapters without",
                        "modprobe -a ib_uverbs rdma_ucm");
        Finding driver = drivers.isEmpty()
                ? Finding.warning(
                        "kernel drivers",
                        "none of an adapter is loaded",
                        "modprobe mlx5_ib (or your adapter's); without an adapter: modprobe rdma_rxe")
                : Finding.ok("kernel drivers", String.join(" ", drivers));
        return List.of(core, driver);
    }

    /// Sysfs also shows modules that are built into the kernel.
    private static boolean isLoaded(Machine machine, String name) {
        return machine.exists("sys/module/" + name)
                || machine.lines("proc/modules").stream().anyMatch(line -> line.startsWith(name + " "));
    }
}
