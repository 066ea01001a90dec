package io.verbena.conformance.bench;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;

/// One device of the pair, open, with a protection domain. Objects made through it are closed at the end of the test,
/// newest first; closing them earlier is fine.
public final class TestDevice {
    /// All that a region can allow except atomics, which not every device has.
    private static final Access[] OPEN = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ};

    private final String name;
    private final Context context;
    private final InetAddress address;
    private final Quirks quirks;
    private final ProtectionDomain pd;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    TestDevice(String name, Context context, InetAddress address, Quirks quirks) {
        this.name = name;
        this.context = context;
        this.address = address;
        this.quirks = quirks;
        this.pd = keep(context.allocateProtectionDomain());
    }

    public Context context() {
        return context;
    }

    public ProtectionDomain pd() {
        return pd;
    }

    public InetAddress address() {
        return address;
    }

    /// The deviations of this device.
    public Quirks quirks() {
        return quirks;
    }

    /// Closes it when the test ends.
    public <T extends AutoCloseable> T keep(T resource) {
        opened.push(resource);
        return resource;
    }

    public CompletionQueue completionQueue(int entries) {
        return keep(context.createCompletionQueue(entries));
    }

    public CompletionQueue completionQueue(int entries, CompletionChannel channel) {
        return keep(context.createCompletionQueue(entries, channel));
    }

    public CompletionChannel completionChannel() {
        return keep(context.createCompletionChannel());
    }

    public ProtectionDomain otherPd() {
        return keep(context.allocateProtectionDomain());
    }

    /// Memory that peers may read and write.
    public MemoryRegion memory(long bytes) {
        return memory(bytes, OPEN);
    }

    public MemoryRegion memory(long bytes, Access... access) {
        return keep(pd.allocate(bytes, access));
    }

    public QueuePair queuePair(QueuePairOptions options) {
        return keep(pd.createQueuePair(options));
    }

    /// A multicast group of the kind of this side's address: `239.0.0.0` or `ff15::` and up.
    public Gid group(int n) {
        // Another process may run the same contract: its group is another one.
        long process = 1 + ProcessHandle.current().pid() % 250;
        return Gid.of(address).isIpv4()
                ? new Gid(0, 0xFFFF_EF00_0000L + (process << 16) + n)
                : new Gid(0xFF15L << 48, (process << 16) + n);
    }

    /// Skips the test where the system has no route to a group, so that devices refuse to join one.
    public void assumeGroups() {
        assumeFalse(
                address instanceof Inet6Address && address.isLoopbackAddress(),
                "the system has no way from ::1 to a group");
    }

    /// The address of `peer` from here, through the row of the GID table that holds this side's address.
    public AddressVector pathTo(TestDevice peer) {
        Gid own = Gid.of(address);
        int index = context.gids(1).stream()
                .filter(entry -> entry.gid().equals(own))
                .mapToInt(GidEntry::index)
                .findFirst()
                .orElse(0);
        return new AddressVector(Gid.of(peer.address), index, 1, 0, AddressVector.DEFAULT_HOP_LIMIT, 0);
    }

    /// Closes what was made here; the first failure is thrown after all were tried.
    void closeOpened() {
        RuntimeException first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                RuntimeException failure = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Override
    public String toString() {
        return name + " " + address.getHostAddress();
    }
}
