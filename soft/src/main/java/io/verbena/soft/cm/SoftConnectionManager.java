package io.verbena.soft.cm;

import io.verbena.soft.device.Network;
import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// The connection manager of software devices; one for each [Network], because a device listens to one.
public final class SoftConnectionManager implements ConnectionManager {
    private static final Logger LOG = System.getLogger(SoftConnectionManager.class.getName());
    private static final Duration LONGEST_GOODBYE = Duration.ofMillis(500);

    private final Network network;
    private final Set<SoftConnectionId> ids = ConcurrentHashMap.newKeySet();
    private final Set<SoftListener> everywhere = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean hooked = new AtomicBoolean();
    private final DevicePool devices = new DevicePool(this::idsOn, this::offer);
    private final PortTable ports = new PortTable();

    public SoftConnectionManager(Network network) {
        this.network = network;
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

    /// The program, or an id, has opened a device. The pool tells of those it opens itself, once it is done.
    public void onDeviceOpened(SoftDevice device) {
        if (!Thread.holdsLock(devices)) {
            offer(device);
        }
    }

    private void offer(SoftDevice device) {
        everywhere.forEach(listener -> listener.offer(device));
    }

    private List<SoftConnectionId> idsOn(SharedDevice device) {
        return ids.stream().filter(id -> id.uses(device)).toList();
    }

    /// A process that ends without closing its ids still tells the peers, as the kernel does (rule CM-12).
    void sayGoodbyeAtExit() {
        if (hooked.compareAndSet(false, true)) {
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(this::sayGoodbyeSoon, "verbena-goodbye"));
            } catch (IllegalStateException tooLate) {
                // The process is ending already; the peers have to find out by themselves.
                return;
            }
        }
    }

    /// Whatever the engines are doing, the end of the process does not wait long.
    private void sayGoodbyeSoon() {
        if (ids.isEmpty()) {
            return;
        }
        Thread speaker = Thread.ofPlatform().daemon().start(this::sayGoodbye);
        try {
            speaker.join(LONGEST_GOODBYE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Tells every peer once.
    void sayGoodbye() {
        for (SoftConnectionId id : ids) {
            try {
                id.conversation().sayGoodbye();
            } catch (RuntimeException e) {
                LOG.log(Level.DEBUG, () -> "no good-bye from " + id, e);
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
        return new SoftConnectionId(this, soft, space, new ConnectionOptions());
    }

    @Override
    public ConnectionId createSynchronousId(PortSpace space) {
        PortSpaces.require(space);
        return new SynchronousConnectionId(this, space, new ConnectionOptions());
    }
}
