package io.verbena.soft.device;

import io.verbena.soft.cq.QueueDevice;
import io.verbena.soft.engine.Driver;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.Engines;
import io.verbena.soft.engine.PeerKinds;
import io.verbena.soft.event.CountedDevice;
import io.verbena.soft.event.DeviceTotals;
import io.verbena.soft.event.SoftEvents;
import io.verbena.soft.limit.Quota;
import io.verbena.soft.limit.SoftLimits;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.verbs.Context;
import io.verbena.verbs.DeviceOptions;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// A software device: one local IP address that speaks RoCEv2. Its engines and sockets exist while a context is open.
public final class SoftDevice implements QueueDevice, CountedDevice {
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
    private final DeviceEnvironment host;
    private final Quota protectionDomains = new Quota("protection domains", SoftLimits.MAX_PROTECTION_DOMAINS);
    private final Quota completionQueues = new Quota("completion queues", SoftLimits.MAX_COMPLETION_QUEUES);
    private final Quota sharedReceiveQueues = new Quota("shared receive queues", SoftLimits.MAX_SHARED_RECEIVE_QUEUES);
    private final Quota addressHandles = new Quota("address handles", SoftLimits.MAX_ADDRESS_HANDLES);
    private final DeviceHealth health = new DeviceHealth();
    private final Map<String, Long> countedBefore = new HashMap<>();
    /// Changed under the device's lock. Read also without it, by beans and recordings.
    private volatile Engines engines;
    private SoftOptions options;
    private int contexts;
    private Mtu maxMtu = Mtu.MTU_4096;
    private volatile Availability sharedMemory = Availability.unavailable("the device is not open", "open it");

    public SoftDevice(InetAddress address, DeviceEnvironment host) {
        this.address = address;
        this.host = host;
        this.guid = PeerKinds.newGuid(host.random());
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

    /// With the options of the contexts that are open, else with [SoftOptions#defaults].
    @Override
    public SoftContext open() {
        return open((SoftOptions) null);
    }

    @Override
    public Context open(DeviceOptions wanted) {
        if (!(wanted instanceof SoftOptions soft)) {
            return QueueDevice.super.open(wanted);
        }
        if (host.simulation() != null) {
            throw new RdmaException(
                    "open " + name(), Errno.EOPNOTSUPP, "its network is simulated; give faults to the SimulatedFabric");
        }
        return open(soft);
    }

    private SoftContext open(SoftOptions wanted) {
        boolean first;
        SoftContext context;
        synchronized (this) {
            first = engines == null;
            context = openContext(wanted);
        }
        if (first) {
            // Without the lock, because both run code of the program. The context keeps the device open meanwhile.
            showBean();
            host.onOpen(this);
        }
        return context;
    }

    private SoftContext openContext(SoftOptions wanted) {
        if (engines == null) {
            options = wanted == null ? SoftOptions.defaults() : wanted;
            Wire wire = host.openWire(address, options);
            maxMtu = Mtu.largestWithin(wire.maxPayload());
            Engine first = new Engine(
                    wire,
                    host.clock(),
                    host.random(),
                    SoftLimits.MAX_QUEUE_PAIRS,
                    host.simulation(),
                    share(wire, found -> sharedMemory = found));
            health.start(host.hasAddress(address));
            start(first, "", this::check);
            engines = new Engines(
                    first,
                    options.needsPackets() || wire.sharedAddress() == null ? 1 : options.shards(),
                    this::openAnother);
            if (host.simulation() == null) {
                SoftEvents.add(this);
            }
        } else if (wanted != null && !wanted.equals(options)) {
            throw new RdmaException(
                    "open " + name(),
                    Errno.EBUSY,
                    "it is open with other options, %s; close its contexts and connection ids first"
                            .formatted(options));
        }
        contexts++;
        SoftContext context = new SoftContext(this, engines);
        health.add(context);
        return context;
    }

    private void start(Engine engine, String suffix, Runnable periodicTask) {
        engine.driver()
                .spin(
                        options.spin() == null
                                ? Driver.DEFAULT_SPIN
                                : options.spin().toNanos());
        engine.onFault(health::onFault);
        engine.driver().runPeriodically(() -> {
            engine.wire().check();
            periodicTask.run();
        });
        host.start(engine, "verbena-" + name() + suffix);
    }

    /// Opens another shard of the device.
    private Engine openAnother(Engine first) {
        Wire wire = host.openAnother(first.wire(), options);
        LocalDevice local = first.local() == null ? null : share(wire, found -> {});
        try {
            if (first.local() != null) {
                if (local == null) {
                    throw new RdmaException("open another shard", Errno.ENOMEM, "it cannot share memory as the first");
                }
                local.showRegionsOf(first.local());
            }
            Engine engine = first.another(wire, local);
            start(engine, "-shard-" + engine.numbers().shard(), () -> {});
            return engine;
        } catch (RuntimeException | Error e) {
            if (local != null) {
                local.close();
            }
            wire.close();
            throw e;
        }
    }

    private LocalDevice share(Wire wire, Consumer<Availability> found) {
        try {
            return host.share(address, wire, options, found);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    synchronized void release(SoftContext context) {
        health.remove(context);
        if (--contexts == 0) {
            SoftEvents.remove(this);
            Engines closing = engines;
            engines = null;
            List<Engine> all = closing.close();
            all.forEach(host::stop);
            // Not before: until then the device's thread may show it again.
            DeviceBeans.hide(this);
            NamedCounters.of(closing).forEach((name, value) -> countedBefore.merge(name, value, Long::sum));
            close(all.reversed());
        }
    }

    /// Closes all of them, whatever happens at one.
    private static void close(List<Engine> all) {
        RuntimeException first = null;
        for (Engine engine : all) {
            try {
                engine.close();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /// Every few seconds, by the device's thread.
    private void check() {
        checkLink();
        showBean();
    }

    private void showBean() {
        if (host.simulation() == null) {
            DeviceBeans.show(this);
        }
    }

    /// Checks whether the port is up, and reports a change.
    public void checkLink() {
        health.link(host.hasAddress(address));
    }

    /// The source of numbers that peers must not guess; in a simulation they are repeatable.
    public RandomGenerator random() {
        return host.random();
    }

    /// Whether a context is open, and so the address in use by this process.
    public synchronized boolean isOpen() {
        return engines != null;
    }

    /// What the device counted since it was first opened; unlike [SoftContext#counters], also what was counted before
    /// it was closed and opened again.
    public synchronized Map<String, Long> countersOfAllTime() {
        Map<String, Long> all = new TreeMap<>(countedBefore);
        if (engines != null) {
            NamedCounters.of(engines).forEach((name, value) -> all.merge(name, value, Long::sum));
        }
        return all;
    }

    @Override
    public DeviceTotals totals() {
        return EngineTotals.of(openEngines());
    }

    /// The engines of all shards; none while the device is closed. Takes no lock: a listener of beans may ask on the
    /// device's thread, for whose end a thread that closes the device waits with the lock.
    List<Engine> openEngines() {
        Engines open = engines;
        return open == null ? List.of() : open.all();
    }

    /// The contexts that are open, also those of the connection manager.
    public List<SoftContext> contexts() {
        return health.contexts();
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

    @Override
    public Availability sharedMemory() {
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
