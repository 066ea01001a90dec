package io.verbena.lab;

import io.verbena.conformance.AllContracts;
import io.verbena.conformance.RunOn;
import java.util.Map;

/// Every contract between the software device and one of the kernel.
@RunOn(SoftNative.Pair.class)
final class SoftNative extends AllContracts {
    static final class Pair extends HostPair {
        Pair() {
            super(Host.SOFT, Host.RXE0);
        }

        @Override
        public Map<String, String> knownDefects() {
            String why = "rxe does not answer the software device's FLUSH";
            return Map.of(
                    "AtomicWriteContract.shouldFlushWhatWasWritten", why,
                    "AtomicWriteContract.shouldRefuseFlushThatTheRegionDoesNotAllow", why,
                    "FlushContract.shouldFlushAWholeRegion", why,
                    "FlushContract.shouldRefuseAFlushOfATypeThatTheRegionDoesNotGrant", why,
                    "FlushContract.shouldRefuseAFlushOfBytesOutsideTheRegion", why,
                    "FlushContract.shouldRefuseAFlushThatTheQueuePairDoesNotGrant", why);
        }
    }
}
