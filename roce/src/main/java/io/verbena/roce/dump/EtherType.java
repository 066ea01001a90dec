package io.verbena.roce.dump;

/// The types of Ethernet frames that matter here.
final class EtherType {
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86DD;
    static final int VLAN = 0x8100;
    static final int SERVICE_VLAN = 0x88A8;

    private EtherType() {}
}
