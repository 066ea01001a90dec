package io.verbena.soft.cm;

import io.verbena.soft.device.HostNetwork;
import io.verbena.soft.device.Network;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.AddressText;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import io.verbena.verbs.spi.ExitTasks;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// The connection manager of software devices; one for each [Network], because a device delivers messages to one.
public final class SoftConnectionManager implements ConnectionManager {
    private static final Logger LOG = System.getLogger(SoftConnectionManager.class.getName());
    private static final Duration LONGEST_EXIT_DELAY = Duration.ofMillis(500);

    private final Network network;
    private final Set<SoftConnectionId> ids = ConcurrentHashMap.newKeySet();
    private final Set<SoftListener> everywhere = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean hooked = new AtomicBoolean();
    private final DevicePool devices = new DevicePool(this::idsOn, this::offer);
    private final PortTable ports;

    public SoftConnectionManager(Network network) {
        this.network = network;
        // A simulation must be the same in each run.
        this.ports = new PortTable(network instanceof HostNetwork ? new SecureRandom().nextInt() : 0);
    }

    Network network() {
        return network;
    }

    DevicePool devices() {
        return devices;
    }

    PortTable ports() {
        return ports;
    }

    void add(SoftConnectionId id) {
        ids.add(id);
    }

    void remove(SoftConnectionId id) {
        ids.remove(id);
    }

    /// A listener on the any-address, which is to hear of devices that are opened later.
    void add(SoftListener listener) {
        everywhere.add(listener);
    }

    void remove(SoftListener listener) {
        everywhere.remove(listener);
    }

    /// The program, or an id, has opened a device. For devices that the pool opens, it calls this itself.
    public void onDeviceOpened(SoftDevice device) {
        if (!devices.isOpening(device)) {
            offer(device);
        }
    }

    private void offer(SoftDevice device) {
        everywhere.forEach(listener -> listener.offer(device));
    }

    /// The ports of all connections that are made by ids.
    public Map<SoftQueuePair, IdPorts> portsByQueuePair() {
        Map<SoftQueuePair, IdPorts> all = new IdentityHashMap<>();
        for (SoftConnectionId id : ids) {
            SoftQueuePair qp = id.queuePair();
            if (qp != null) {
                all.put(qp, new IdPorts(port(id.localAddress()), port(id.peerAddress())));
            }
        }
        return all;
    }

    private static int port(InetSocketAddress address) {
        return address == null ? 0 : address.getPort();
    }

    /// The addresses and ports that ids listen on.
    public List<String> listening() {
        return ids.stream()
                .filter(id -> id.stage() == IdStage.LISTENING && id.localAddress() != null)
                .map(id -> AddressText.of(id.localAddress().getAddress()) + ":"
                        + id.localAddress().getPort())
                .sorted()
                .toList();
    }

    /// Ids that are not closed and have no device yet.
    public List<ConnectionId> unboundIds() {
        return ids.stream()
                .filter(id -> id.context() == null)
                .map(ConnectionId.class::cast)
                .toList();
    }

    /// Closes devices that nobody uses any more. In real time that happens by itself.
    public void closeUnusedDevices() {
        devices.closeUnused();
    }

    private List<? extends AutoCloseable> idsOn(SoftSharedDevice device) {
        return ids.stream().filter(id -> id.uses(device)).toList();
    }

    /// Disconnects at the end of the process all ids that the program did not close, as the kernel does (rule CM-12).
    void disconnectAtExit() {
        if (hooked.compareAndSet(false, true)) {
            ExitTasks.add(ExitTasks.Step.DISCONNECT, this::disconnectAllWithinLimit);
        }
    }

    /// Bounded in time, so that a busy engine does not delay the end of the process.
    private void disconnectAllWithinLimit() {
        if (ids.isEmpty()) {
            return;
        }
        Thread thread = Thread.ofPlatform().daemon().start(this::disconnectBeforeExit);
        try {
            thread.join(LONGEST_EXIT_DELAY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Sends each peer one message.
    void disconnectBeforeExit() {
        for (SoftConnectionId id : ids) {
            try {
                id.protocol().disconnectBeforeExit();
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, () -> "could not disconnect " + id + " before the process ends", e);
            }
        }
    }

    @Override
    public EventChannel createEventChannel() {
        return new SoftEventChannel();
    }

    @Override
    public ConnectionId createId(EventChannel channel, PortSpace space) {
        PortSpaces.require(space);
        if (!(channel instanceof SoftEventChannel soft)) {
            throw new RdmaException(
                    "rdma_create_id",
                    Errno.EINVAL,
                    "the channel is not of this connection manager; for none use createSynchronousId");
        }
        return new SoftConnectionId(this, soft, space, new ConnectionOptions(), false);
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        PortSpaces.require(space);
        return new SoftConnectionId(this, new SoftEventChannel(), space, new ConnectionOptions(), true);
    }
}
