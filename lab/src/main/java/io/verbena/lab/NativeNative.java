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

        /// FLUSH came with rdma-core 65, ATOMIC_WRITE with Linux 6.2; rxe's library does not register again.
        @Override
        public boolean mayLack(String verb) {
            return switch (verb) {
                case "ibv_wr_flush" -> true;
                case "ibv_wr_atomic_write" -> Host.kernel().equals("6.1");
                default -> verb.startsWith("register memory region");
            };
        }
    }
}
