package io.verbena.soft.shard;

/// Opens the UDP sockets of an address.
public interface SocketOpener {
    /// Whose sockets are bound to an address.
    enum Bound {
        /// Some of them at least.
        BY_ANOTHER_USER,
        /// Of this user, as those of a [SharedAddress] are.
        SEVERAL,
        AT_MOST_ONE
    }

    /// A socket that is bound alone, and lets others in from then on; an error number, negated, when it cannot be.
    int openFirst();

    /// What the system shows of the sockets that are bound to the address.
    Bound bound();

    /// One more socket of the same address, numbered by the kernel in the order of the calls.
    int openNext();
}
