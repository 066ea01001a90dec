package io.verbena.rdmacore.mem;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.UseCount;
import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.Mw;
import io.verbena.rdmacore.layout.MwBind;
import io.verbena.rdmacore.layout.Qp;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.WindowCalls;
import io.verbena.rdmacore.qp.NativeQueuePair;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A memory window of a native device.
public final class NativeMemoryWindow implements MemoryWindow {
    private static final int FENCE = 1;
    private static final int SIGNALED = 2;
    private static final String CLOSE = "close memory window";

    private final NativeProtectionDomain domain;
    private final MemoryWindowType type;
    private final long address;
    private final Lifetime lifetime = new Lifetime("the memory window");
    private final UseCount posts = new UseCount();
    private volatile int rkey;

    /// @param address the `struct ibv_mw`
    public NativeMemoryWindow(NativeProtectionDomain domain, MemoryWindowType type, long address) {
        this.domain = domain;
        this.type = type;
        this.address = address;
        this.rkey = Mw.RKEY.get(address);
    }

    public static NativeMemoryWindow allocate(NativeProtectionDomain domain, MemoryWindowType type) {
        NativeContext context = domain.context();
        long window = WindowCalls.allocMw(function(domain, ContextOps.ALLOC_MW), domain.address(), type.code());
        if (window < 0) {
            throw context.failure(Subject.MEMORY, "allocate memory window of " + type, (int) window);
        }
        NativeMemoryWindow made = new NativeMemoryWindow(domain, type, window);
        domain.lifetime().children().add(made);
        return made;
    }

    private static MemorySegment function(NativeProtectionDomain domain, int place) {
        return ContextOps.function(domain.context().address(), place);
    }

    /// The `struct ibv_mw`, for callers that have acquired the window.
    public long address() {
        return address;
    }

    /// Keeps the window until [#release]; false when it is closed.
    public boolean acquire() {
        return posts.acquire();
    }

    public void release() {
        posts.release();
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public MemoryWindowType type() {
        return type;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    /// A request that binds it under that key was posted. Drivers do not note that in their struct.
    public void bound(int newKey) {
        rkey = newKey;
        Mw.RKEY.set(address, newKey);
    }

    @Override
    public boolean bind(QueuePair qp, long wrId, MemoryWindowBind bind) {
        String verb = "bind memory window 0x%x".formatted(rkey);
        if (type != MemoryWindowType.TYPE_1) {
            throw new RdmaException(
                    verb, Errno.EINVAL, "it is of type 2; post a request with SendRequest.bindMemoryWindow");
        }
        if (!(qp instanceof NativeQueuePair own)) {
            throw new RdmaException(verb, Errno.EINVAL, "the queue pair is of another provider");
        }
        if (own.protectionDomain().context() != domain.context()) { // the driver would read a struct of another one
            throw new RdmaException(verb, Errno.EINVAL, "the queue pair is of another context");
        }
        NativeMemoryRegion region = requireRegion(verb, bind.region());
        if (Access.ZERO_BASED.in(region.access()) || bind.access().contains(Access.ZERO_BASED)) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "addresses of a type 1 window and its region cannot count from zero; use type 2");
        }
        return lifetime.use(
                verb,
                () -> region.lifetime()
                        .use(verb, () -> own.lifetime().use(verb, () -> bind(verb, own, wrId, region, bind))));
    }

    /// A region must be named even to unbind: some drivers look at it then too.
    private NativeMemoryRegion requireRegion(String verb, MemoryRegion region) {
        if (!(region instanceof NativeMemoryRegion own)) {
            throw new RdmaException(verb, Errno.EINVAL, "name a memory region of the same device, even to unbind");
        }
        if (own.protectionDomain() != domain) {
            throw new RdmaException(verb, Errno.EPERM, "window and memory region are of different protection domains");
        }
        return own;
    }

    private boolean bind(String verb, NativeQueuePair qp, long wrId, NativeMemoryRegion region, MemoryWindowBind bind) {
        if (Qp.STATE.get(qp.address()) < QueuePairState.RTS.code()) {
            throw new RdmaException(verb, Errno.EINVAL, qp + " is not in RTS yet; windows are bound from RTS on");
        }
        try (Arena arena = Arena.ofConfined()) {
            long struct = arena.allocate(MwBind.SIZE, 8).address();
            MwBind.WR_ID.set(struct, wrId);
            MwBind.SEND_FLAGS.set(struct, (bind.signaled() ? SIGNALED : 0) | (bind.fenced() ? FENCE : 0));
            MwBind.BIND_INFO_MR.set(struct, region.address(verb));
            MwBind.BIND_INFO_ADDR.set(struct, bind.address());
            MwBind.BIND_INFO_LENGTH.set(struct, bind.length());
            MwBind.BIND_INFO_MW_ACCESS_FLAGS.set(struct, Access.bits(bind.access()));
            int failed =
                    Math.abs(WindowCalls.bindMw(function(domain, ContextOps.BIND_MW), qp.address(), address, struct));
            if (failed == Errno.ENOMEM.number()) {
                return false;
            }
            if (failed != 0) {
                throw domain.context().failure(Subject.MEMORY, verb, failed);
            }
            rkey = Mw.RKEY.get(address);
            return true;
        }
    }

    @Override
    public void close() {
        if (lifetime.end(CLOSE, this::destroy)) {
            domain.lifetime().children().remove(this);
        }
    }

    private void destroy() {
        posts.end();
        int failed = WindowCalls.deallocMw(function(domain, ContextOps.DEALLOC_MW), address);
        if (failed != 0) {
            posts.resume();
            throw Failures.of(Subject.MEMORY, CLOSE, failed);
        }
    }

    @Override
    public String toString() {
        return "memory window 0x%x (%s)".formatted(rkey, type);
    }
}
