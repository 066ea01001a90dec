package io.verbena.verbs.attr;

/// Codes and counters of a port beyond [PortAttributes], which few programs need. `ibv_devinfo -v` shows them, and they
/// are those of `struct ibv_port_attr`. 0 is what a device says that has no such thing.
///
/// - `capabilityFlags`, `capabilityFlags2`: `port_cap_flags` bits.
/// - `badPkeyCounter`, `badQkeyCounter`: packets refused for their partition or queue key.
/// - `smLid`, `smServiceLevel`, `lmc`, `maxVirtualLanes`, `subnetTimeout`, `initTypeReply`: InfiniBand only.
/// - `activeWidth`, `activeSpeed`: codes, not lanes or bits a second; `physicalState`: 5 is link up.
public record PortDetails(
        int capabilityFlags,
        int capabilityFlags2,
        int badPkeyCounter,
        int badQkeyCounter,
        int smLid,
        int smServiceLevel,
        int lmc,
        int maxVirtualLanes,
        int subnetTimeout,
        int initTypeReply,
        int activeWidth,
        int activeSpeed,
        int physicalState) {
    public static final PortDetails NONE = new PortDetails(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
