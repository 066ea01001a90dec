package io.verbena.verbs;

import io.verbena.verbs.attr.AddressVector;

/// A peer's address, prepared for datagrams. Counterpart of `struct ibv_ah`.
public interface AddressHandle extends AutoCloseable {
    ProtectionDomain protectionDomain();

    AddressVector address();

    /// Counterpart of `ibv_destroy_ah`.
    @Override
    void close();
}
