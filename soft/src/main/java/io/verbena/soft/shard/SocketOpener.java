package io.verbena.soft.shard;

/// Opens the UDP sockets of an address.
public interface SocketOpener {
    /// A socket that is bound alone, and lets others in from then on; an error number, negated, when it cannot be.
    int openFirst();

    /// Whether several sockets are bound to the address, as those of a [SharedAddress] are.
    boolean areSeveral();

    /// One more socket of the same address, numbered by the kernel in the order of the calls.
    int openNext();
}
