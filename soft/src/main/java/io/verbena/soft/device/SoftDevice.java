package io.verbena.soft.device;

import io.verbena.soft.cq.QueueDevice;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.limit.Quota;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.DeviceDetails;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.LinkLayer;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.NodeType;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.attr.PortState;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.Set;
import java.util.random.RandomGenerator;

/// A software device: one local IP address that speaks RoCEv2. Its engine and socket exist while a context is open.
public final class SoftDevice implements QueueDevice {
    /// The name of the provider of software devices.
    public static final String PROVIDER = "soft";

    private static final Set<DeviceCapability> CAPABILITIES = Set.of(
            DeviceCapability.RNR_NAK_GENERATION,
            DeviceCapability.PORT_ACTIVE_EVENT,
            DeviceCapability.SHARED_RECEIVE_QUEUE_RESIZE,
            DeviceCapability.MEMORY_WINDOW,
            DeviceCapability.MEMORY_WINDOW_TYPE_2B,
            DeviceCapability.ATOMIC_WRITE,
            DeviceCapability.FLUSH_GLOBAL,
            DeviceCapability.FLUSH_PERSISTENT);

    private final InetAddress address;
    private final long guid;
    private final Host host;
    private final Quota protectionDomains = new Quota("protection domains", SoftLimits.MAX_PROTECTION_DOMAINS);
    private final Quota completionQueues = new Quota("completion queues", SoftLimits.MAX_COMPLETION_QUEUES);
    private final Quota sharedReceiveQueues = new Quota("shared receive queues", SoftLimits.MAX_SHARED_RECEIVE_QUEUES);
    private final Quota addressHandles = new Quota("address handles", SoftLimits.MAX_ADDRESS_HANDLES);
    private final DeviceHealth health = new DeviceHealth();
    private Engine engine;
    private int contexts;
    private Mtu maxMtu = Mtu.MTU_4096;
    private volatile Availability sharedMemory = Availability.unavailable("the device is not open", "open it");

    public SoftDevice(InetAddress address, Host host) {
        this.address = address;
        this.host = host;
        // A locally administered EUI-64 that is new in each life: peers take a known GUID with an old QP number for
        // stale.
        this.guid = host.random().nextLong() & ~0x0300_0000_0000_0000L | 0x0200_0000_0000_0000L;
    }

    public InetAddress address() {
        return address;
    }

    @Override
    public Gid gid() {
        return Gid.of(address);
    }

    @Override
    public String name() {
        return "soft-" + AddressText.of(address);
    }

    @Override
    public String provider() {
        return PROVIDER;
    }

    @Override
    public long guid() {
        return guid;
    }

    @Override
    public NodeType nodeType() {
        return NodeType.CHANNEL_ADAPTER;
    }

    @Override
    public SoftContext open() {
        boolean first;
        SoftContext context;
        synchronized (this) {
            first = engine == null;
            context = openContext();
        }
        if (first) {
            host.onOpen(this);
        }
        return context;
    }

    private SoftContext openContext() {
        if (engine == null) {
            long spinNs = SpinOption.current(address);
            Wire wire = host.openWire(address);
            maxMtu = Mtu.largestWithin(wire.maxPayload());
            engine = new Engine(
                    wire, host.clock(), host.random(), SoftLimits.MAX_QUEUE_PAIRS, host.simulation(), share(wire));
            engine.driver().spin(spinNs);
            health.start(host.hasAddress(address));
            engine.onFault(health::onFault);
            engine.driver().watch(() -> {
                wire.check();
                lookAtLink();
            });
            host.start(engine, "verbena-" + name());
        }
        contexts++;
        SoftContext context = new SoftContext(this, engine);
        health.add(context);
        return context;
    }

    private LocalDevice share(Wire wire) {
        try {
            return host.share(address, wire, found -> sharedMemory = found);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    synchronized void release(SoftContext context) {
        health.remove(context);
        if (--contexts == 0) {
            host.stop(engine);
            engine.close();
            engine = null;
        }
    }

    /// Finds out whether the port is up, and tells when that changed.
    public void lookAtLink() {
        health.link(host.hasAddress(address));
    }

    /// Where numbers come from that peers must not guess, or that a simulation must repeat.
    public RandomGenerator random() {
        return host.random();
    }

    /// Whether a context is open, and so the address in use by this process.
    public synchronized boolean isOpen() {
        return engine != null;
    }

    /// The protection domains that all contexts of the device have.
    public Quota protectionDomains() {
        return protectionDomains;
    }

    @Override
    public Quota completionQueues() {
        return completionQueues;
    }

    @Override
    public Quota sharedReceiveQueues() {
        return sharedReceiveQueues;
    }

    /// Whether connections can go through shared memory, as seen when the device was opened.
    Availability sharedMemory() {
        return sharedMemory;
    }

    @Override
    public Mtu maxMtu() {
        return maxMtu;
    }

    @Override
    public Quota addressHandles() {
        return addressHandles;
    }

    PortAttributes port() {
        PortState state = isOpen() && health.isUp() ? PortState.ACTIVE : PortState.DOWN;
        return new PortAttributes(
                DeviceHealth.PORT, state, Mtu.MTU_4096, maxMtu, 1, 1L << 31, 1, 0, LinkLayer.ETHERNET);
    }

    DeviceAttributes attributes() {
        return new DeviceAttributes(
                "soft",
                guid,
                guid,
                0xFF_FFFF,
                0,
                0,
                1,
                SoftLimits.MAX_MEMORY_REGION_BYTES,
                SoftLimits.MAX_MEMORY_REGIONS,
                SoftLimits.MAX_MEMORY_WINDOWS,
                SoftLimits.MAX_PROTECTION_DOMAINS,
                SoftLimits.MAX_QUEUE_PAIRS,
                SoftLimits.MAX_WORK_REQUESTS,
                SoftLimits.MAX_SCATTER_GATHER,
                SoftLimits.MAX_INLINE_BYTES,
                SoftLimits.MAX_COMPLETION_QUEUES,
                SoftLimits.MAX_COMPLETION_ENTRIES,
                SoftLimits.MAX_READ_ATOMIC,
                SoftLimits.MAX_READ_ATOMIC,
                SoftLimits.MAX_SHARED_RECEIVE_QUEUES,
                SoftLimits.MAX_SHARED_RECEIVE_REQUESTS,
                SoftLimits.MAX_SCATTER_GATHER,
                SoftLimits.MAX_ADDRESS_HANDLES,
                SoftLimits.MAX_MULTICAST_GROUPS,
                SoftLimits.LOCAL_ACK_DELAY_CODE,
                AtomicCapability.DEVICE,
                CAPABILITIES,
                new DeviceDetails(
                        -1L << 12,
                        SoftLimits.MAX_SCATTER_GATHER,
                        SoftLimits.MAX_READ_ATOMIC * SoftLimits.MAX_QUEUE_PAIRS,
                        SoftLimits.MAX_QUEUE_PAIRS_PER_GROUP,
                        SoftLimits.MAX_QUEUE_PAIRS_PER_GROUP * SoftLimits.MAX_MULTICAST_GROUPS,
                        1,
                        DeviceCapability.bits(CAPABILITIES)));
    }

    @Override
    public String toString() {
        return name();
    }
}
