package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Registered memory. Counterpart of `struct ibv_mr`.
public interface MemoryRegion extends AutoCloseable {
    ProtectionDomain protectionDomain();

    /// The bytes themselves.
    MemorySegment memory();

    /// Address of the first byte as used in requests and by peers.
    long address();

    long length();

    /// Names the region in local requests.
    int lkey();

    /// Names the region to peers; 0 when it grants no remote right.
    int rkey();

    /// Rights, as [Access] bits.
    int access();

    /// What a peer needs to reach the region. Of a region that grants no remote right the key is 0, which opens
    /// nothing: the peer's request fails with REMOTE_ACCESS_ERROR.
    default RemoteBuffer remote() {
        return new RemoteBuffer(address(), length(), rkey());
    }

    /// Gives the region other memory, another domain or other rights. Each may be null, which leaves it as it
    /// is; an empty set takes all rights. Keys may change; on a software device they do when the memory does,
    /// and a failure leaves all as it was. Counterpart of `ibv_rereg_mr`.
    default void reregister(MemorySegment memory, ProtectionDomain domain, Set<Access> access) {
        throw new UnsupportedVerbException(protectionDomain().context().device().name(), "ibv_rereg_mr");
    }

    /// Counterpart of `ibv_dereg_mr`. Requests that still use the region fail from then on; no byte is touched
    /// after this returns. Refused while memory windows are bound to it. Closing twice is fine.
    @Override
    void close();
}
