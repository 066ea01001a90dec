package io.verbena.soft.cm;

import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.ServiceId;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.AddressText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.PortSpace;
import io.verbena.verbs.spi.ConnectionOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Where an id is: its local address and port, and the device or devices behind them. Changed under the id's monitor,
/// read by any thread.
final class LocalPlace {
    /// Not left to the platform, for which it may be the one of IPv6.
    static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);

    private final SoftConnectionManager manager;
    private final PortSpace space;
    private volatile List<SharedDevice> devices = List.of();
    private volatile InetSocketAddress address;
    private PortTable.Binding binding;

    /// What the address it is bound to stands for; null before.
    private AddressFamily family;

    LocalPlace(SoftConnectionManager manager, PortSpace space) {
        this.manager = manager;
        this.space = space;
    }

    InetSocketAddress address() {
        return address;
    }

    List<SharedDevice> devices() {
        return devices;
    }

    /// The one device, or null before there is one and for listeners on the any-address.
    SharedDevice device() {
        List<SharedDevice> now = devices;
        return now.size() == 1 && !address.getAddress().isAnyLocalAddress() ? now.getFirst() : null;
    }

    SharedDevice requireDevice(String verb) {
        SharedDevice device = device();
        if (device == null) {
            throw new RdmaException(verb, Errno.EINVAL, "the id has no device yet; resolve the address first");
        }
        return device;
    }

    /// How to ask a peer from here.
    ConnectTarget target(InetSocketAddress peer, int typeOfService) {
        Gid from = device().agent().port().facts().gid();
        Gid to = Gid.of(peer.getAddress());
        return new ConnectTarget(
                to,
                ServiceId.of(space.code(), peer.getPort()),
                CmaHeader.of(address.getPort(), from.high(), from.low(), to.high(), to.low()),
                typeOfService);
    }

    /// For a connection request, which shares the port of its listener. The device is retained already.
    void at(InetSocketAddress local, SharedDevice device) {
        address = local;
        devices = List.of(device);
    }

    void bind(InetSocketAddress local, ConnectionOptions options) {
        InetAddress host = resolved("rdma_bind_addr", local);
        bind(host.isAnyLocalAddress() ? null : manager.network().at(host), host, local.getPort(), options);
    }

    private void bind(SoftDevice device, InetAddress host, int port, ConnectionOptions options) {
        family = AddressFamily.of(host, options.is(ConnectionOption.IPV6_ONLY));
        PortTable.Binding taken =
                manager.ports().bind(space, host, port, options.is(ConnectionOption.REUSE_ADDRESS), family);
        try {
            devices = device == null ? List.of() : List.of(manager.devices().acquire(device));
        } catch (RdmaException e) {
            manager.ports().release(taken);
            throw e;
        }
        binding = taken;
        address = new InetSocketAddress(host, taken.port());
    }

    /// Chooses a device that reaches the peer, unless there is one.
    void faceTowards(InetSocketAddress peer, ConnectionOptions options) {
        InetAddress host = resolved("rdma_resolve_addr", peer);
        if (family != null && !family.covers(host)) {
            throw new RdmaException(
                    "rdma_resolve_addr " + AddressText.of(host),
                    Errno.EINVAL,
                    "the id is bound to " + AddressText.of(address.getAddress())
                            + ", which is not of the same IP version; bind it to an address of the peer's kind");
        }
        if (!devices.isEmpty()) {
            return;
        }
        SoftDevice device = manager.network().towards(host);
        if (binding == null) {
            bind(device, device.address(), 0, options);
        } else {
            devices = List.of(manager.devices().acquire(device));
            address = new InetSocketAddress(device.address(), binding.port());
        }
    }

    /// Whether it stands for all devices, now and later.
    boolean isEverywhere() {
        return devices.isEmpty();
    }

    /// Whether a device belongs to the any-address: to `0.0.0.0` all of IPv4, to `::` all of both kinds unless the id
    /// is for IPv6 only.
    boolean covers(SoftDevice device) {
        return family.covers(device.address());
    }

    /// Takes an open device in, for a listener on the any-address. It is retained already.
    void add(SharedDevice device) {
        List<SharedDevice> more = new ArrayList<>(devices);
        more.add(device);
        devices = List.copyOf(more);
    }

    void release() {
        if (binding != null) {
            manager.ports().release(binding);
            binding = null;
        }
        devices.forEach(manager.devices()::release);
    }

    private static InetAddress resolved(String verb, InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new RdmaException(verb, Errno.EHOSTUNREACH, "no host " + address.getHostString() + " is known");
        }
        return address.getAddress();
    }
}
