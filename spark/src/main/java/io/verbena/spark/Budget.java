package io.verbena.spark;

import java.util.concurrent.atomic.AtomicLong;

/// The most bytes that a setting allows. Safe from any thread.
final class Budget {
    private final String setting;
    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();

    Budget(String setting, long mostBytes) {
        this.setting = setting;
        this.mostBytes = mostBytes;
    }

    boolean tryReserve(long more) {
        if (bytes.addAndGet(more) <= mostBytes) {
            return true;
        }
        bytes.addAndGet(-more);
        return false;
    }

    /// Beyond the limit if need be.
    void reserve(long more) {
        bytes.addAndGet(more);
    }

    void giveBack(long less) {
        bytes.addAndGet(-less);
    }

    long reserved() {
        return bytes.get();
    }

    /// For messages.
    String refusal(long more) {
        return "%s allows %d bytes, of which %d are reserved, and %d more are needed"
                .formatted(setting, mostBytes, bytes.get(), more);
    }
}
