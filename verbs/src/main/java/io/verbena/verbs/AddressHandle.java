package io.verbena.verbs;

import io.verbena.verbs.attr.AddressVector;

/// A peer's address, prepared for datagrams. Counterpart of `struct ibv_ah`.
public interface AddressHandle extends AutoCloseable {
    /// The domain it was made in.
    ProtectionDomain protectionDomain();

    /// The address it was made of.
    AddressVector address();

    /// Gives the handle back. Counterpart of `ibv_destroy_ah`.
    @Override
    void close();
}
