package io.verbena.soft.device;

import java.net.InetAddress;
import java.util.List;

/// The source of devices: this host's addresses, or the hosts of a simulated fabric.
public interface Network {
    /// The device of a local address; throws EADDRNOTAVAIL when the address is not of this host.
    SoftDevice at(InetAddress local);

    /// A device that reaches `peer`: by route, or for a peer on this host one on a free loopback address.
    SoftDevice deviceTowards(InetAddress peer);

    /// Whether it is certain that `peer` has no device, so that no thread needs to wait for an answer. False when in
    /// doubt.
    default boolean isVacant(InetAddress peer) {
        return false;
    }

    /// Devices that a listener on the any-address listens on.
    List<SoftDevice> all();
}
