package io.verbena.sockets.contract;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.option.SoftPath;
import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import java.net.InetAddress;

/// An address whose software device uses UDP and loses one packet in a hundred.
final class LossyHost {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("127.0.77.1");

    /// Stays open, because the connections of the address do.
    private static final Context DEVICE = Rdma.openDevice(
            ADDRESS.getHostAddress(),
            SoftOptions.defaults().path(SoftPath.UDP).faults(FaultPlan.none().withLoss(0.01)));

    private LossyHost() {}

    /// Its address, after the device was opened.
    static InetAddress address() {
        return DEVICE.device() == null ? null : ADDRESS;
    }
}
