package io.verbena.soft.net;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.option.Offload;
import io.verbena.soft.option.SocketKind;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.os.CLibrary;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.os.Platform;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.net.InetAddress;

/// Opens the wire of a local address: the best one of the platform, or the one that the options name.
public final class Wires {
    /// The UDP port of RoCEv2.
    public static final int PORT = 4791;

    /// One queue pair of a peer keeps over a hundred packets in flight; the usual 208 KiB do not hold them.
    static final int BUFFER_BYTES = 4 << 20;

    static final System.Logger LOG = System.getLogger("io.verbena.soft.net");

    private Wires() {}

    /// With the options that the system properties give.
    public static Wire open(InetAddress local) {
        return open(local, SoftOptions.defaults());
    }

    /// @throws RdmaException EADDRINUSE when UDP port 4791 of the address is taken, EADDRNOTAVAIL when the address is
    ///     not of this host
    public static Wire open(InetAddress local, SoftOptions options) {
        if (local.isAnyLocalAddress() || local.isMulticastAddress()) {
            throw OpenFailure.notOneAddress(local);
        }
        Wire wire = captured(socket(local, LocalInterface.maxPayload(local), options), options);
        return options.faults().equals(FaultPlan.none())
                ? wire
                : new FaultyWire(wire, options.faults(), NanoClock.SYSTEM);
    }

    /// Another wire at the address of an open one, whose packets the system keeps apart.
    ///
    /// @throws RdmaException when that cannot be
    public static Wire another(Wire first, SoftOptions options) {
        if (first instanceof LinuxWire linux) {
            return linux.another(options.offload());
        }
        throw new RdmaException(
                "open another shard",
                Errno.EOPNOTSUPP,
                "the socket is not shared, or its packets are captured or lost");
    }

    /// The capture is inside the faults, so the file shows the packets that are really sent.
    private static Wire captured(Wire wire, SoftOptions options) {
        try {
            CaptureFile file = CaptureFile.open(wire.localAddress(), options);
            return file == null ? wire : new CapturingWire(wire, file);
        } catch (RuntimeException e) {
            wire.close();
            throw e;
        }
    }

    private static Wire socket(InetAddress local, int maxPayload, SoftOptions options) {
        return options.socket() == SocketKind.NIO
                ? new UdpWire(local, maxPayload)
                : linux(local, maxPayload, options.offload(), options.socket() == SocketKind.LINUX);
    }

    /// @param must whether the options demand this wire
    private static Wire linux(InetAddress local, int maxPayload, Offload offload, boolean must) {
        if (must || Platform.isKnown()) {
            try {
                return new LinuxWire(local, maxPayload, offload);
            } catch (LinkageError | IllegalCallerException e) {
                if (must) {
                    throw OpenFailure.noNativeAccess(local, e);
                }
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "no native access, so datagram channels are used; allow it with" + " "
                                + CLibrary.accessOption(),
                        e);
            }
        }
        return new UdpWire(local, maxPayload);
    }
}
