package io.verbena.lab;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.RunOn;

/// Every contract between two devices of the kernel, over the switch.
@RunOn(NativeNative.Pair.class)
final class NativeNative extends AllContracts {
    static final class Pair extends HostPair {
        Pair() {
            super(Host.RXE0, Host.RXE1);
        }
    }
}
