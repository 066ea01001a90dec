package io.verbena.tools.program;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.attr.LinkLayer;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// The open device that reaches a peer, for programs that connect their queue pairs by hand. With `--device` it is the
/// named one. Else a client's is the one that the connection manager finds on the route to the server, and a server's
/// the one with the address that the client connected to.
///
/// Everything made from [#context] must be closed before it.
public final class PeerDevice implements AutoCloseable {
    private final Context context;
    private final Runnable close;
    private final InetAddress address;
    private final int port;

    private PeerDevice(Context context, Runnable close, InetAddress address, int port) {
        this.context = context;
        this.close = close;
        this.address = address;
        this.port = port;
    }

    /// The client's device: one on the route to `server`.
    ///
    /// @param step how long finding it may take
    public static PeerDevice towards(DeviceChoice chosen, InetSocketAddress server, Duration step) {
        return chosen.device() != null ? named(chosen) : resolved(chosen, server, step);
    }

    /// Resolving an address finds the device, also on the same host. No message goes to the peer's program.
    private static PeerDevice resolved(DeviceChoice chosen, InetSocketAddress peer, Duration step) {
        ConnectionId id = chosen.provider().connectionManager().createSynchronousId(PortSpace.TCP);
        try {
            id.resolveAddress(null, peer, step);
            return new PeerDevice(id.context(), id::close, id.localAddress().getAddress(), id.port());
        } catch (RuntimeException e) {
            id.close();
            throw e;
        }
    }

    /// The server's device: the one with the address that the client connected to.
    public static PeerDevice at(DeviceChoice chosen, InetAddress local, InetSocketAddress client, Duration step) {
        if (chosen.device() != null) {
            return named(chosen);
        }
        Device device = chosen.provider()
                .device(local.getHostAddress())
                .orElseThrow(() -> new ProgramException("no device of provider "
                        + chosen.provider().name() + " has the address " + AddressText.of(local)
                        + " that the client connected to; name one with --device"));
        try {
            Context context = device.open();
            return new PeerDevice(context, context::closeAll, local, 1);
        } catch (RdmaException e) {
            // Another program has the device of this address. The client is on this host, and gets the address of
            // another device.
            if (e.errno() == Errno.EADDRINUSE && local.isLoopbackAddress()) {
                return resolved(chosen, client, step);
            }
            throw e;
        }
    }

    private static PeerDevice named(DeviceChoice chosen) {
        Context context = chosen.device().open();
        return new PeerDevice(context, context::closeAll, chosen.address(), 1);
    }

    /// A device that is open already, and stays so.
    public static PeerDevice of(Context context, InetAddress address) {
        return new PeerDevice(context, () -> {}, address, 1);
    }

    public Context context() {
        return context;
    }

    /// The IP address of the device; null when it has none, as an InfiniBand adapter.
    public InetAddress address() {
        return address;
    }

    /// The port that has the address.
    public int port() {
        return port;
    }

    /// The row of a port's GID table that holds [#address] for RoCEv2. On InfiniBand the first row.
    public GidEntry gidOf(int port) {
        List<GidEntry> table = context.gids(port);
        if (address == null || context.port(port).linkLayer() == LinkLayer.INFINIBAND) {
            return table.stream().findFirst().orElseThrow(() -> none(port, "a GID"));
        }
        Gid wanted = Gid.of(address);
        return table.stream()
                .filter(entry -> entry.gid().equals(wanted) && entry.type() == GidType.ROCE_V2)
                .findFirst()
                .orElseThrow(() -> none(port, "a RoCEv2 GID for " + AddressText.of(address)));
    }

    /// A row of a port's GID table.
    public GidEntry gid(int port, int index) {
        return context.gids(port).stream()
                .filter(entry -> entry.index() == index)
                .findFirst()
                .orElseThrow(() -> none(port, "a GID with index " + index));
    }

    private ProgramException none(int port, String what) {
        return new ProgramException("port " + port + " of device "
                + context.device().name() + " does not have " + what + "; 'verbena devices -v' shows its GIDs");
    }

    @Override
    public void close() {
        close.run();
    }
}
