package io.verbena.sockets.contract;

import java.net.InetAddress;
import java.util.List;

/// The contracts of sockets, which the JDK's provider keeps, too, on a device of the kernel. They are the tests of the
/// module sockets, compiled here once more.
public final class KernelContracts {
    /// Of the second device of the kernel.
    static final InetAddress HOST = InetAddress.ofLiteral("10.77.0.2");

    private KernelContracts() {}

    public static List<Class<?>> all() {
        return List.of(KernelStream.class, KernelSelector.class, KernelSocket.class);
    }
}
