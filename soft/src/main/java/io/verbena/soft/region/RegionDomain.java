package io.verbena.soft.region;

import io.verbena.soft.qp.QueueDomain;

/// The part of a protection domain that memory regions and windows use.
public interface RegionDomain extends QueueDomain {
    /// A region moves to this domain from `before`, which may be this domain too. It stays where it was when `move`
    /// throws.
    void replace(String verb, RegionDomain before, SoftMemoryRegion region, Runnable move);
}
