package io.verbena.lab;

import io.verbena.conformance.bench.Pairing;
import io.verbena.conformance.bench.Quirks;
import io.verbena.verbs.Context;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.spi.Availability;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Two hosts on the guest's switch.
abstract class HostPair implements Pairing {
    private final Host left;
    private final Host right;

    HostPair(Host left, Host right) {
        this.left = left;
        this.right = right;
    }

    @Override
    public String name() {
        return kind(left) + "-" + kind(right) + ", Linux " + Host.kernel();
    }

    private static String kind(Host host) {
        return host.isKernel() ? "native" : "soft";
    }

    @Override
    public Availability availability() {
        Availability first = left.availability();
        return first.isAvailable() ? right.availability() : first;
    }

    @Override
    public InetAddress leftAddress() {
        return left.address();
    }

    @Override
    public InetAddress rightAddress() {
        return right.address();
    }

    @Override
    public Optional<InetAddress> silentAddress() {
        return Optional.of(Host.SILENT);
    }

    @Override
    public Context openLeft() {
        return left.open();
    }

    @Override
    public Context openRight() {
        return right.open();
    }

    @Override
    public ConnectionManager leftConnections() {
        return left.connections();
    }

    @Override
    public ConnectionManager rightConnections() {
        return right.connections();
    }

    @Override
    public Quirks leftQuirks() {
        return left.quirks();
    }

    @Override
    public Quirks rightQuirks() {
        return right.quirks();
    }

    /// The software device has every verb, and every pair has a device of the kernel. FLUSH came with rdma-core 65,
    /// ATOMIC_WRITE with Linux 6.2; the library of rxe cannot re-register memory.
    @Override
    public boolean mayLack(String verb) {
        return switch (verb) {
            case "ibv_wr_flush" -> true;
            case "ibv_wr_atomic_write" -> Host.kernel().equals("6.1");
            default -> verb.startsWith("register memory region") || verb.startsWith("ibv_reg_mr with [FLUSH");
        };
    }

    @Override
    public List<Thread> threads() {
        Thread[] all = new Thread[1000];
        int count = Thread.currentThread().getThreadGroup().enumerate(all);
        return Arrays.stream(all, 0, count)
                .filter(thread -> thread.getName().startsWith("verbena"))
                .toList();
    }
}
