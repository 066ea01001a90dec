package io.verbena.tools;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Finds out which verbs a device has by calling them: the attributes do not say it all.
final class VerbProbe {
    /// The objects that the attempts work with.
    private record Bench(Context context, ProtectionDomain pd, CompletionQueue cq, MemoryRegion region) {}

    /// One row for each optional feature of a device.
    private static final Map<String, Consumer<Bench>> ATTEMPTS = attempts();

    private VerbProbe() {}

    @SuppressWarnings("try") // each object is created only to see whether that works
    private static Map<String, Consumer<Bench>> attempts() {
        Map<String, Consumer<Bench>> all = new LinkedHashMap<>();
        all.put("RC", b -> b.pd.createQueuePair(QueuePairOptions.rc(b.cq)).close());
        all.put("UC", b -> b.pd.createQueuePair(QueuePairOptions.uc(b.cq)).close());
        all.put("UD", b -> b.pd.createQueuePair(QueuePairOptions.ud(b.cq)).close());
        all.put(
                "shared receive queues",
                b -> b.pd.createSharedReceiveQueue(SharedReceiveQueueOptions.of(1))
                        .close());
        all.put(
                "address handles",
                b -> b.pd.createAddressHandle(
                                AddressVector.to(b.context.gids(1).getFirst().gid()))
                        .close());
        all.put(
                "memory windows type 1",
                b -> b.pd.allocateMemoryWindow(MemoryWindowType.TYPE_1).close());
        all.put(
                "memory windows type 2",
                b -> b.pd.allocateMemoryWindow(MemoryWindowType.TYPE_2).close());
        all.put(
                "registration at a chosen address",
                b -> b.pd.register(b.region.memory(), b.region.address() + (1L << 32), Access.LOCAL_WRITE)
                        .close());
        all.put("re-registration", b -> b.region.reregister(null, null, Set.of(Access.LOCAL_WRITE)));
        all.put("resizing completion queues", b -> b.cq.resize(16));
        return all;
    }

    /// `yes`, `no`, or the error, by name.
    static Map<String, String> run(Context context) {
        Map<String, String> results = new LinkedHashMap<>();
        try (ProtectionDomain pd = context.allocateProtectionDomain();
                CompletionQueue cq = context.createCompletionQueue(8);
                MemoryRegion region = pd.allocate(4096, Access.LOCAL_WRITE)) {
            var bench = new Bench(context, pd, cq, region);
            ATTEMPTS.forEach((name, attempt) -> results.put(name, result(attempt, bench)));
        } catch (RdmaException e) {
            // such as missing permission to lock memory; the other facts about the device are shown all the same
            results.put("verbs", "cannot be found out: " + e.getMessage());
        }
        return results;
    }

    private static String result(Consumer<Bench> attempt, Bench bench) {
        try {
            attempt.accept(bench);
            return "yes";
        } catch (RdmaException e) {
            return e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.ENOSYS ? "no" : "no: " + e.getMessage();
        } catch (RuntimeException e) {
            return "no: " + e;
        }
    }
}
