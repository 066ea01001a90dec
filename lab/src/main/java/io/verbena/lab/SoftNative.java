package io.verbena.lab;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.RunOn;

/// Every contract between the software device and one of the kernel.
@RunOn(SoftNative.Pair.class)
final class SoftNative extends AllContracts {
    static final class Pair extends HostPair {
        Pair() {
            super(Host.SOFT, Host.RXE0);
        }
    }
}
