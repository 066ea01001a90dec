package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.ServiceId;
import io.verbena.soft.device.SoftDevice;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// The passive side of an id that listens, on one device or on all.
final class SoftListener {
    private static final Logger LOG = System.getLogger(SoftListener.class.getName());
    /// Further requests are dropped until the program takes some (rule CM-9).
    private static final int LARGEST_BACKLOG = 1024;

    /// One device, where the listener is known by its service id.
    private final class ListeningDevice implements RequestHandler, ServiceHandler {
        private final SoftSharedDevice device;

        ListeningDevice(SoftSharedDevice device) {
            this.device = device;
        }

        /// False when another id or another process listens there. Other processes are asked without owning the engine,
        /// because that may take long. They are asked again behind it: another id may have stopped in between, and
        /// given the port back.
        boolean start() {
            if (!device.engine().services().listen(serviceId)
                    || !device.engine().call(this::add)) {
                return false;
            }
            if (device.engine().services().listen(serviceId)) {
                return true;
            }
            device.engine().call(this::remove);
            return false;
        }

        /// As one step for other ids: the port is given back before another one can listen here.
        void stop() {
            device.engine().execute(() -> {
                if (remove()) {
                    device.engine().services().stopListening(serviceId);
                }
            });
        }

        private boolean add() {
            return isDatagram
                    ? device.agent().datagrams().serve(serviceId, this)
                    : device.agent().listen(serviceId, this);
        }

        private boolean remove() {
            return isDatagram
                    ? device.agent().datagrams().stopServing(serviceId, this)
                    : device.agent().stopListening(serviceId, this);
        }

        @Override
        public ConnectionHandler onRequest(CmConnection connection, CmaHeader header, ConnectionParameters seen) {
            ConnectionHandler[] handler = {null};
            offer(device, header, seen, request -> {
                ConnectionProtocol protocol = (ConnectionProtocol) request.protocol();
                protocol.take(connection);
                handler[0] = protocol.handler();
            });
            return handler[0];
        }

        @Override
        public boolean onRequest(PendingSidrReply answer, CmaHeader header, ConnectionParameters seen) {
            return offer(device, header, seen, request -> ((DatagramProtocol) request.protocol()).take(answer));
        }
    }

    private final SoftConnectionId id;
    private final boolean isDatagram;
    private final long serviceId;
    private final int port;
    private final int backlog;
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<ListeningDevice> listening = new ArrayList<>();
    private boolean isStopped;
    private volatile RdmaException refused;

    SoftListener(SoftConnectionId id, int port, int backlog) {
        this.id = id;
        this.isDatagram = id.isDatagram();
        this.port = port;
        this.serviceId = ServiceId.of(id.portSpace().code(), port);
        this.backlog = backlog == 0 ? LARGEST_BACKLOG : Math.min(backlog, LARGEST_BACKLOG);
    }

    /// On the id's device, or for the any-address on all that can be opened; it is an error when none can.
    void start() {
        if (!id.binding().isEverywhere()) {
            startOn(id.binding().device());
            return;
        }
        id.manager.add(this);
        try {
            id.manager.network().all().forEach(this::offer);
            requireSome();
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
    }

    private synchronized void requireSome() {
        if (listening.isEmpty()) {
            throw refused == null
                    ? new RdmaException("rdma_listen", Errno.ENODEV, "there is no device for " + id.localAddress())
                    : new RdmaException("rdma_listen", refused.errno(), "on no device: " + refused.getMessage());
        }
    }

    /// Listens on a device too. Devices that another process uses, or another id listens on, are left out.
    void offer(SoftDevice device) {
        if (!id.binding().covers(device)) {
            return;
        }
        try {
            // Without the lock, because opening a device calls all listeners, including this one.
            SoftSharedDevice opened = id.manager.devices().acquire(device);
            if (!take(opened)) {
                id.manager.devices().release(opened);
            }
        } catch (RdmaException e) {
            LOG.log(Level.INFO, () -> "listening without " + device + ": " + e.getMessage());
            refused = e;
        }
    }

    private synchronized boolean take(SoftSharedDevice opened) {
        if (isStopped || isOn(opened)) {
            return false;
        }
        id.binding().add(opened);
        startOn(opened);
        return true;
    }

    private boolean isOn(SoftSharedDevice device) {
        return listening.stream().anyMatch(added -> added.device == device);
    }

    private synchronized void startOn(SoftSharedDevice device) {
        ListeningDevice added = new ListeningDevice(device);
        if (!added.start()) {
            throw new RdmaException(
                    "rdma_listen",
                    Errno.EADDRINUSE,
                    "another id, or another process, listens on port " + port + " of " + device.context());
        }
        listening.add(added);
    }

    synchronized void stop() {
        isStopped = true;
        id.manager.remove(this);
        listening.forEach(ListeningDevice::stop);
        listening.clear();
    }

    /// As the owner of the device's engine: makes an id for a request, unless too many wait.
    private boolean offer(
            SoftSharedDevice device, CmaHeader header, ConnectionParameters seen, Consumer<SoftConnectionId> onMade) {
        if (waiting.get() >= backlog) {
            return false;
        }
        waiting.incrementAndGet();
        Gid source = new Gid(header.sourceGidHi(), header.sourceGidLo());
        Gid destination = new Gid(header.destinationGidHi(), header.destinationGidLo());
        InetSocketAddress local = new InetSocketAddress(destination.address(), port);
        InetSocketAddress peer = new InetSocketAddress(source.address(), header.sourcePort());
        id.eventChannel()
                .putMade(
                        channel -> {
                            SoftConnectionId request = id.newRequestId(channel, device.retain(), local, peer);
                            onMade.accept(request);
                            return new CmEvent(CmEventType.CONNECT_REQUEST, request, id, 0, seen, null);
                        },
                        waiting::decrementAndGet);
        return true;
    }
}
