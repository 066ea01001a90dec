package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Registered memory. Counterpart of `struct ibv_mr`.
public interface MemoryRegion extends AutoCloseable {
    /// The domain it is registered in.
    ProtectionDomain protectionDomain();

    /// The bytes themselves.
    MemorySegment memory();

    /// Address of the first byte as used in requests and by peers.
    long address();

    /// How many bytes it has.
    long length();

    /// Names the region in local requests.
    int lkey();

    /// Names the region to peers; 0 when it grants no remote right.
    int rkey();

    /// Rights, as [Access] bits.
    int access();

    /// The address, length and key by which a peer reaches the region. Refused when the region grants no remote right,
    /// because it then has no remote key.
    default RemoteBuffer remote() {
        if (!Access.allowsRemote(access())) {
            throw new RdmaException(
                    "tell peers of " + this,
                    Errno.EINVAL,
                    "it grants peers no right; register it with REMOTE_READ, REMOTE_WRITE or REMOTE_ATOMIC");
        }
        return new RemoteBuffer(address(), length(), rkey());
    }

    /// Gives the region other memory, another domain or other rights. A null argument changes nothing; an empty set
    /// removes all rights. Keys may change; on a software device they do when the memory does, and a failure leaves all
    /// as it was. Counterpart of `ibv_rereg_mr`.
    default void reregister(MemorySegment memory, ProtectionDomain domain, Set<Access> access) {
        throw new UnsupportedVerbException(protectionDomain().context().device().name(), "ibv_rereg_mr");
    }

    /// Ends the registration. Counterpart of `ibv_dereg_mr`. Requests that still use the region fail from then on; no
    /// byte is touched after this returns. Refused while memory windows are bound to it. Closing twice is fine.
    @Override
    void close();
}
