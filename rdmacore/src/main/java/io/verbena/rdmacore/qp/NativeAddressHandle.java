package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.UseCount;
import io.verbena.rdmacore.layout.AhAttr;
import io.verbena.rdmacore.layout.Wc;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.AddressVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// An address handle of a native device. Drivers read it while a datagram is posted.
public final class NativeAddressHandle implements AddressHandle, HeldObject {
    private static final int GRH_BYTES = 40;
    private static final int WITH_GRH = 1;
    private static final String CREATE = "create address handle";
    private static final String CLOSE = "close address handle";

    private final NativeProtectionDomain domain;
    private final AddressVector vector;
    private final long address;
    private final Lifetime lifetime = new Lifetime("the address handle");
    private final UseCount posts = new UseCount();

    NativeAddressHandle(NativeProtectionDomain domain, AddressVector vector, long address) {
        this.domain = domain;
        this.vector = vector;
        this.address = address;
    }

    public static NativeAddressHandle create(NativeProtectionDomain domain, AddressVector vector) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(AhAttr.SIZE, 8).address();
            AddressCodec.write(domain.context(), attr, vector);
            return create(domain, vector, attr);
        }
    }

    private static NativeAddressHandle create(NativeProtectionDomain domain, AddressVector vector, long attr) {
        long handle = IbVerbs.LIB.createAh(domain.address(), attr);
        if (handle < 0) {
            throw domain.context().failure(Subject.STATE, CREATE + " to " + vector.destination(), (int) handle);
        }
        NativeAddressHandle made = new NativeAddressHandle(domain, vector, handle);
        domain.lifetime().children().add(made);
        return made;
    }

    /// The address of the sender of a datagram, whose IP header is in `grhArea`.
    public static NativeAddressHandle create(
            NativeProtectionDomain domain, WorkCompletion completion, MemorySegment grhArea, int port) {
        String verb = "create address handle from completion";
        if (grhArea.byteSize() < GRH_BYTES) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    grhArea.byteSize() + " bytes; the receive buffer's first " + GRH_BYTES + " are needed");
        }
        domain.context().port(port); // throws when there is none: C takes the low byte of any number
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment grh = arena.allocate(GRH_BYTES, 8).copyFrom(grhArea.asSlice(0, GRH_BYTES));
            long wc = arena.allocate(Wc.SIZE, 8).address();
            Wc.QP_NUM.set(wc, completion.qpNumber());
            Wc.SRC_QP.set(wc, completion.sourceQp());
            Wc.WC_FLAGS.set(wc, completion.hasGrh() ? WITH_GRH : 0);
            Wc.PKEY_INDEX.set(wc, completion.pkeyIndex());
            Wc.SLID.set(wc, completion.sourceLid());
            Wc.SL.set(wc, completion.serviceLevel());
            Wc.DLID_PATH_BITS.set(wc, completion.pathBits());
            long attr = arena.allocate(AhAttr.SIZE, 8).address();
            int failed = IbVerbs.LIB.initAhFromWc(domain.context().address(), (byte) port, wc, grh.address(), attr);
            if (failed != 0) { // the number means nothing when no row of the GID table fits
                throw Failures.of(
                        Subject.QUERY,
                        verb,
                        Errno.EINVAL.number(),
                        "no GID of port " + port + " fits the datagram's destination");
            }
            return create(domain, AddressCodec.read(attr), attr);
        }
    }

    /// Keeps the handle until [#release]; false when it is closed.
    boolean acquire() {
        return posts.acquire();
    }

    @Override
    public void release() {
        posts.release();
    }

    /// The `struct ibv_ah`, for callers that have acquired the handle.
    long struct() {
        return address;
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector address() {
        return vector;
    }

    @Override
    public void close() {
        boolean ended = lifetime.end(CLOSE, this::destroy);
        if (ended) {
            domain.lifetime().children().remove(this);
        }
    }

    private void destroy() {
        posts.end();
        int failed = IbVerbs.LIB.destroyAh(address);
        if (failed != 0) {
            posts.resume();
            throw Failures.of(Subject.STATE, CLOSE, failed);
        }
    }

    @Override
    public String toString() {
        return "address handle to " + vector.destination();
    }
}
