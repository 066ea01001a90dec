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
import java.util.function.Consumer;

/// The binding of an id: its local address and port, and the device or devices behind them. Changed under the id's
/// monitor, read by any thread.
final class LocalBinding {
    /// Explicitly IPv4, because the platform's any-address may be that of IPv6.
    static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);

    private final SoftConnectionManager manager;
    private final PortSpace space;
    private final Consumer<SoftSharedDevice> onDevice;
    private volatile List<SoftSharedDevice> devices = List.of();
    private volatile InetSocketAddress address;
    private PortTable.Binding binding;

    /// The IP versions that the bound address covers; null before.
    private AddressFamily family;

    /// @param onDevice told of each device, after it belongs to the binding
    LocalBinding(SoftConnectionManager manager, PortSpace space, Consumer<SoftSharedDevice> onDevice) {
        this.manager = manager;
        this.space = space;
        this.onDevice = onDevice;
    }

    InetSocketAddress address() {
        return address;
    }

    List<SoftSharedDevice> devices() {
        return devices;
    }

    /// The one device, or null before there is one and for listeners on the any-address.
    SoftSharedDevice device() {
        List<SoftSharedDevice> now = devices;
        return now.size() == 1 && !address.getAddress().isAnyLocalAddress() ? now.getFirst() : null;
    }

    SoftSharedDevice requireDevice(String verb) {
        SoftSharedDevice device = device();
        if (device == null) {
            throw new RdmaException(verb, Errno.EINVAL, "the id has no device yet; resolve the address first");
        }
        return device;
    }

    /// The target for a connection request to a peer.
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
    void at(InetSocketAddress local, SoftSharedDevice device) {
        address = local;
        devices = List.of(device);
        onDevice.accept(device);
    }

    void bind(InetSocketAddress local, ConnectionOptions options) {
        InetAddress host = resolved("rdma_bind_addr", local);
        bind(host.isAnyLocalAddress() ? null : manager.network().at(host), host, local.getPort(), options);
    }

    private void bind(SoftDevice device, InetAddress host, int port, ConnectionOptions options) {
        family = AddressFamily.of(host, options.is(ConnectionOption.IPV6_ONLY));
        List<SoftSharedDevice> acquired =
                device == null ? List.of() : List.of(manager.devices().acquire(device));
        try {
            binding = manager.ports()
                    .bind(
                            space,
                            host,
                            port,
                            options.is(ConnectionOption.REUSE_ADDRESS),
                            family,
                            wanted -> acquired.stream().allMatch(at -> isFree(at, wanted)));
        } catch (RdmaException e) {
            acquired.forEach(manager.devices()::release);
            throw e;
        }
        devices = acquired;
        address = new InetSocketAddress(host, binding.port());
        acquired.forEach(onDevice);
    }

    /// Whether no other process listens on that port.
    private boolean isFree(SoftSharedDevice device, int port) {
        return device.engine().services().isFree(ServiceId.of(space.code(), port));
    }

    /// Chooses a device that reaches the peer, unless there is one.
    void resolveTowards(InetSocketAddress peer, ConnectionOptions options) {
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
        SoftDevice device = manager.network().deviceTowards(host);
        if (binding == null) {
            bind(device, device.address(), 0, options);
        } else {
            SoftSharedDevice acquired = manager.devices().acquire(device);
            devices = List.of(acquired);
            address = new InetSocketAddress(device.address(), binding.port());
            onDevice.accept(acquired);
        }
    }

    /// Whether the id is bound to the any-address: all devices, also those that are opened later.
    boolean isEverywhere() {
        return devices.isEmpty();
    }

    /// Whether a device belongs to the any-address: to `0.0.0.0` all of IPv4, to `::` all of both kinds unless the id
    /// is for IPv6 only.
    boolean covers(SoftDevice device) {
        return family.covers(device.address());
    }

    /// Takes an open device in, for a listener on the any-address. It is retained already.
    void add(SoftSharedDevice device) {
        List<SoftSharedDevice> more = new ArrayList<>(devices);
        more.add(device);
        devices = List.copyOf(more);
        onDevice.accept(device);
    }

    void release() {
        if (binding != null) {
            manager.ports().release(binding);
            binding = null;
        }
        devices.forEach(manager.devices()::release);
    }

    private static InetAddress resolved(String verb, InetSocketAddress address) {
        if (address == null) {
            throw new RdmaException(verb, Errno.EINVAL, "the address is null");
        }
        if (address.isUnresolved()) {
            throw new RdmaException(verb, Errno.EHOSTUNREACH, "no host " + address.getHostString() + " is known");
        }
        return address.getAddress();
    }
}
