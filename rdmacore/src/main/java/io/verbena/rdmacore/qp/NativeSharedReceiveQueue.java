package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.SrqAttr;
import io.verbena.rdmacore.layout.SrqInitAttr;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.lang.foreign.Arena;
import java.util.List;

/// A shared receive queue of a native device. Queue pairs that draw from it are its children.
public final class NativeSharedReceiveQueue implements SharedReceiveQueue {
    private static final int MASK_MAX_WR = 1;
    private static final int MASK_LIMIT = 2;
    private static final String CREATE = "create shared receive queue";
    private static final String CLOSE = "close shared receive queue";

    private final NativeProtectionDomain domain;
    private final long address;
    private final int maxScatterGather;
    private final ReceivePosts posts;
    private final Lifetime lifetime = new Lifetime("the shared receive queue");

    private NativeSharedReceiveQueue(NativeProtectionDomain domain, long address, int maxScatterGather) {
        this.domain = domain;
        this.address = address;
        this.maxScatterGather = maxScatterGather;
        this.posts = new ReceivePosts(
                "post receive to shared queue",
                ContextOps.function(domain.context().address(), ContextOps.POST_SRQ_RECV),
                address,
                maxScatterGather,
                "maxScatterGather",
                () -> true,
                "");
    }

    public static NativeSharedReceiveQueue create(NativeProtectionDomain domain, SharedReceiveQueueOptions options) {
        String verb = CREATE + " of " + options.maxRequests() + " requests";
        if (options.maxRequests() < 1 || options.maxScatterGather() < 0 || options.limit() < 0) {
            throw new RdmaException(verb, Errno.EINVAL, "sizes are positive numbers: " + options);
        }
        try (Arena arena = Arena.ofConfined()) {
            long init = arena.allocate(SrqInitAttr.SIZE, 8).address();
            long attr = init + SrqInitAttr.ATTR;
            SrqAttr.MAX_WR.set(attr, options.maxRequests());
            SrqAttr.MAX_SGE.set(attr, options.maxScatterGather());
            SrqAttr.SRQ_LIMIT.set(attr, options.limit());
            long queue = IbVerbs.LIB.createSrq(domain.address(), init);
            if (queue < 0) {
                throw domain.context().failure(Subject.QUEUE, verb, (int) queue);
            }
            int scatterGather = Math.max(options.maxScatterGather(), SrqAttr.MAX_SGE.get(attr));
            NativeSharedReceiveQueue made = new NativeSharedReceiveQueue(domain, queue, scatterGather);
            domain.context().asyncEvents().attach(queue, made);
            domain.lifetime().children().add(made);
            if (options.limit() > 0) { // drivers look at it in modify only
                made.limitOrClose(options.limit());
            }
            return made;
        }
    }

    private void limitOrClose(int limit) {
        try {
            limit(limit);
        } catch (RdmaException e) {
            close();
            throw e;
        }
    }

    /// The `struct ibv_srq`.
    public long address() {
        return address;
    }

    /// Queue pairs that draw from it are its children.
    public Lifetime lifetime() {
        return lifetime;
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public ReceiveRequest newReceiveRequest() {
        return new NativeReceiveRequest(maxScatterGather);
    }

    @Override
    public boolean post(ReceiveRequest request) {
        return posts.post(request);
    }

    @Override
    public int postReceives(List<ReceiveRequest> chain) {
        return posts.post(chain);
    }

    @Override
    public void limit(int limit) {
        modify("set limit " + limit + " of shared receive queue", MASK_LIMIT, 0, limit);
    }

    @Override
    public void resize(int maxRequests) {
        modify("resize shared receive queue to " + maxRequests + " requests", MASK_MAX_WR, maxRequests, 0);
    }

    private void modify(String verb, int mask, int maxRequests, int limit) {
        if (maxRequests < 0 || limit < 0) {
            throw new RdmaException(verb, Errno.EINVAL, "the number is negative; give 0 or more");
        }
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(SrqAttr.SIZE, 8).address();
            SrqAttr.MAX_WR.set(attr, maxRequests);
            SrqAttr.SRQ_LIMIT.set(attr, limit);
            int failed = lifetime.use(verb, () -> IbVerbs.LIB.modifySrq(address, attr, mask));
            if (failed != 0) {
                throw domain.context().failure(Subject.QUEUE, verb, failed);
            }
        }
    }

    @Override
    public SharedReceiveQueueOptions query() {
        String verb = "query shared receive queue";
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(SrqAttr.SIZE, 8).address();
            int failed = lifetime.use(verb, () -> IbVerbs.LIB.querySrq(address, attr));
            if (failed != 0) {
                throw domain.context().failure(Subject.QUEUE, verb, failed);
            }
            return new SharedReceiveQueueOptions(
                    SrqAttr.MAX_WR.get(attr), SrqAttr.MAX_SGE.get(attr), SrqAttr.SRQ_LIMIT.get(attr));
        }
    }

    @Override
    public void close() {
        boolean ended = lifetime.end(CLOSE, () -> posts.close(this::destroy));
        if (ended) {
            domain.lifetime().children().remove(this);
        }
    }

    /// Waits until the events of the queue are acknowledged, which other threads may be about to do.
    private void destroy() {
        domain.context().asyncEvents().detach(address);
        int failed = IbVerbs.LIB.destroySrq(address);
        if (failed != 0) {
            domain.context().asyncEvents().attach(address, this);
            throw Failures.of(Subject.QUEUE, CLOSE, failed);
        }
    }

    @Override
    public String toString() {
        return "shared receive queue";
    }
}
