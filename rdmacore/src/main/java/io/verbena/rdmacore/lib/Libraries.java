package io.verbena.rdmacore.lib;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.spi.Availability;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// rdma-core's two libraries. Looked for once, on first use; one that is missing is an [Availability] with the
/// reason, never an error of the JVM.
public enum Libraries {
    IBVERBS(
            "libibverbs.so.1",
            "install rdma-core's user libraries (Debian, Ubuntu: apt install libibverbs1 ibverbs-providers;"
                    + " Fedora, RHEL: dnf install libibverbs)",
            List.of("ibv_get_device_list", "ibv_reg_mr_iova2", "_ibv_query_gid_table")),
    RDMACM(
            "librdmacm.so.1",
            "install rdma-core's connection manager (Debian, Ubuntu: apt install librdmacm1;"
                    + " Fedora, RHEL: dnf install librdmacm)",
            List.of("rdma_create_event_channel", "rdma_create_qp_ex"));

    private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

    private final String soname;
    private final String remedy;
    private final List<String> newest;
    private Result result;

    private record Result(Library library, Availability availability) {}

    /// `newest`: functions that only releases have whose structs are laid out as this module knows them.
    Libraries(String soname, String remedy, List<String> newest) {
        this.soname = soname;
        this.remedy = remedy;
        this.newest = newest;
    }

    /// Whether the library is here and can be called, else why not and what to do.
    public Availability availability() {
        return result().availability;
    }

    /// The library; throws ENODEV with the reason when it is not available.
    public Library require() {
        Result found = result();
        if (found.library == null) {
            throw new RdmaException("load " + soname, Errno.ENODEV, found.availability.toString());
        }
        return found.library;
    }

    private synchronized Result result() {
        if (result == null) {
            result = find();
        }
        return result;
    }

    private Result find() {
        Availability platform =
                platform(System.getProperty("os.name"), System.getProperty("os.arch"), System.getProperty("java.home"));
        return platform.isAvailable() ? load(soname, remedy, newest) : new Result(null, platform);
    }

    /// Layouts are known for Linux on two architectures; on others even reading a struct would go wrong.
    static Availability platform(String system, String architecture, String home) {
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            return Availability.unavailable(
                    "RDMA adapters are used on Linux only; this is " + system,
                    "use the software device (-Dverbena.provider=soft)");
        }
        if (!ARCHITECTURES.contains(architecture)) {
            return Availability.unavailable(
                    "C structs are known for " + ARCHITECTURES + "; this JVM (" + home + ") is for " + architecture,
                    "use a JVM for one of those, or soft");
        }
        return Availability.AVAILABLE;
    }

    /// For tests: the verdict about some library.
    static Availability probe(String soname, String remedy, List<String> newest) {
        return load(soname, remedy, newest).availability;
    }

    private static Result load(String soname, String remedy, List<String> newest) {
        try {
            Library library = Library.open(soname);
            for (String function : newest) {
                if (!library.has(function)) {
                    return missing(soname + " is too old: it has no " + function, "use rdma-core 44 or newer");
                }
            }
            return new Result(library, Availability.AVAILABLE);
        } catch (IllegalCallerException | UnsupportedOperationException denied) {
            Module ours = Libraries.class.getModule();
            return missing(
                    "native access is denied: " + denied.getMessage(),
                    "run with --enable-native-access=" + (ours.isNamed() ? ours.getName() : "ALL-UNNAMED"));
        } catch (IllegalArgumentException | LinkageError absent) {
            return missing(soname + " cannot be loaded", remedy);
        }
    }

    private static Result missing(String cause, String remedy) {
        return new Result(null, Availability.unavailable(cause, remedy));
    }
}
