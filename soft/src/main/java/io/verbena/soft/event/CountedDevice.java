package io.verbena.soft.event;

import io.verbena.verbs.attr.Gid;

/// A device whose counters the recorder asks for. From any thread.
public interface CountedDevice {
    Gid gid();

    /// What was counted since the device was opened.
    DeviceTotals totals();
}
