package io.verbena.rdmacore;

import io.verbena.rdmacore.cq.NativeAsyncEvents;
import io.verbena.rdmacore.cq.NativeCompletionChannel;
import io.verbena.rdmacore.cq.NativeCompletionQueue;
import io.verbena.rdmacore.layout.IbvContext;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.UnsupportedVerbException;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.PortAttributes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/// An open native device.
public final class NativeContext implements Context {
    /// Keeps registered memory from the garbage collector, even when the program has dropped all references: the device
    /// still writes into that memory.
    private static final Set<NativeContext> OPEN = ConcurrentHashMap.newKeySet();

    private final NativeDevice device;
    private final long address;
    private final LongConsumer release;
    private final Lifetime lifetime;
    private final NativeAsyncEvents asyncEvents;
    private DeviceAttributes attributes;
    /// 0 before it was asked for.
    private int ports;

    private NativeContext(NativeDevice device, long address, LongConsumer release) {
        this.device = device;
        this.address = address;
        this.release = release;
        this.lifetime = new Lifetime("the context");
        this.asyncEvents = new NativeAsyncEvents(this);
        OPEN.add(this);
    }

    /// A context that was opened for the caller: closing it closes the device.
    static NativeContext owned(NativeDevice device, long address) {
        try {
            return new NativeContext(device, address, context -> {
                int failed = IbVerbs.LIB.closeDevice(context);
                if (failed != 0) {
                    throw Failures.of(Subject.DEVICE, "close device " + device.name(), failed);
                }
            });
        } catch (RdmaException noDescriptor) {
            IbVerbs.LIB.closeDevice(address);
            throw noDescriptor;
        }
    }

    /// A context that another library opened and will close: librdmacm.
    ///
    /// @param release told when this object is closed
    public static NativeContext borrowed(long address, LongConsumer release) {
        return new NativeContext(DeviceList.of(address), address, release);
    }

    /// The `struct ibv_context`.
    public long address() {
        return address;
    }

    public Lifetime lifetime() {
        return lifetime;
    }

    /// The exception for a verb that failed: EOPNOTSUPP means that the device does not have it.
    public RdmaException failure(Subject subject, String verb, int errnoNumber) {
        return Math.abs(errnoNumber) == Errno.EOPNOTSUPP.number()
                ? new UnsupportedVerbException(device.name(), verb)
                : Failures.of(subject, verb, errnoNumber);
    }

    @Override
    public NativeDevice device() {
        return device;
    }

    @Override
    public DeviceAttributes attributes() {
        return lifetime.use("query device", () -> {
            synchronized (this) {
                if (attributes == null) {
                    attributes = DeviceQueries.attributes(address, InlineLimit.probe(address));
                }
                return attributes;
            }
        });
    }

    @Override
    public PortAttributes port(int port) {
        return lifetime.use("query port", () -> PortQueries.attributes(address, requirePort(port)));
    }

    @Override
    public Gid gid(int port, int index) {
        return lifetime.use("query GID", () -> PortQueries.gid(address, requirePort(port), index));
    }

    @Override
    public List<GidEntry> gids(int port) {
        return lifetime.use("query GID table", () -> PortQueries.gids(address, portCount(), requirePort(port)));
    }

    @Override
    public int partitionKey(int port, int index) {
        return lifetime.use("query partition key", () -> PortQueries.partitionKey(address, requirePort(port), index));
    }

    /// Without the other attributes, for which queue pairs must be made.
    synchronized int portCount() {
        if (ports == 0) {
            ports = DeviceQueries.attributes(address, 0).portCount();
        }
        return ports;
    }

    private int requirePort(int port) {
        int count = portCount();
        if (port < 1 || port > count) {
            throw new RdmaException("query port " + port, Errno.EINVAL, device.name() + " has ports 1 to " + count);
        }
        return port;
    }

    @Override
    public Map<String, Long> counters() {
        return SysfsCounters.read(device.sysfs(), lifetime.use("query device", this::portCount));
    }

    @Override
    public int completionVectors() {
        return lifetime.use("query device", () -> IbvContext.NUM_COMP_VECTORS.get(address));
    }

    @Override
    public NativeProtectionDomain allocateProtectionDomain() {
        String verb = "allocate protection domain";
        return lifetime.use(verb, () -> {
            long domain = IbVerbs.LIB.allocPd(address);
            if (domain < 0) {
                throw failure(Subject.DEVICE, verb, (int) domain);
            }
            return new NativeProtectionDomain(this, domain, true);
        });
    }

    @Override
    public NativeCompletionChannel createCompletionChannel() {
        return lifetime.use("create completion channel", () -> NativeCompletionChannel.create(this));
    }

    @Override
    public NativeCompletionQueue createCompletionQueue(int entries, CompletionChannel channel) {
        return createCompletionQueue(entries, channel, 0);
    }

    @Override
    public NativeCompletionQueue createCompletionQueue(int entries, CompletionChannel channel, int vector) {
        return lifetime.use(
                "create completion queue", () -> NativeCompletionQueue.create(this, entries, channel, vector));
    }

    @Override
    public NativeAsyncEvents asyncEvents() {
        return asyncEvents;
    }

    @Override
    public void close() {
        lifetime.end("close context of " + device.name(), () -> {
            asyncEvents.close();
            release.accept(address);
            OPEN.remove(this);
        });
    }

    /// Closes the children of domains first, because queue pairs keep completion queues open, which may be younger than
    /// the domain.
    @Override
    public void closeAll() {
        for (AutoCloseable child : lifetime.children().snapshot().reversed()) {
            if (child instanceof NativeProtectionDomain domain) {
                domain.closeAll();
            }
        }
        lifetime.children().closeAll();
        close();
    }

    @Override
    public String toString() {
        return "context of " + device.name();
    }
}
