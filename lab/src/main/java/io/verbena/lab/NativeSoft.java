package io.verbena.lab;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.RunOn;

/// Every contract between a device of the kernel and the software device.
@RunOn(NativeSoft.Pair.class)
final class NativeSoft extends AllContracts {
    static final class Pair extends HostPair {
        Pair() {
            super(Host.RXE0, Host.SOFT);
        }
    }
}
