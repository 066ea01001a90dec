package io.verbena.rdmacore.cq;

import io.verbena.rdmacore.Lifetime;
import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.event.NativeEventSource;
import io.verbena.rdmacore.layout.CompChannel;
import io.verbena.rdmacore.lib.CallState;
import io.verbena.rdmacore.lib.EventVerbs;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.RdmaException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A completion channel of a native device.
public final class NativeCompletionChannel extends NativeEventSource<CompletionQueue> implements CompletionChannel {
    private static final String VERB = "wait for a completion event";

    private final NativeContext context;
    private final long address;
    private final Lifetime lifetime = new Lifetime("the completion channel");
    /// By address; a queue leaves before it is destroyed.
    private final Map<Long, NativeCompletionQueue> queues = new ConcurrentHashMap<>();

    private NativeCompletionChannel(NativeContext context, long address) {
        super(VERB, CompChannel.FD.get(address));
        this.context = context;
        this.address = address;
        context.lifetime().children().add(this);
    }

    public static NativeCompletionChannel create(NativeContext context) {
        long channel = IbVerbs.LIB.createCompChannel(context.address());
        if (channel < 0) {
            throw context.failure(Subject.QUEUE, "create completion channel", (int) channel);
        }
        try {
            return new NativeCompletionChannel(context, channel);
        } catch (RdmaException noDescriptor) {
            IbVerbs.LIB.destroyCompChannel(channel);
            throw noDescriptor;
        }
    }

    long address() {
        return address;
    }

    Lifetime lifetime() {
        return lifetime;
    }

    void attach(NativeCompletionQueue queue) {
        queues.put(queue.address(), queue);
        lifetime.children().add(queue);
    }

    /// A closed queue must not come out of the channel any more.
    void detach(NativeCompletionQueue queue) {
        queues.remove(queue.address());
    }

    @Override
    public NativeContext context() {
        return context;
    }

    /// An event is acknowledged at once: destroying its queue waits for that.
    @Override
    protected CompletionQueue take() {
        long queue = CallState.scratch();
        while (true) {
            int failed = EventVerbs.getCqEvent(address, queue, queue + Long.BYTES);
            if (failed == -Libc.EAGAIN || failed == -Libc.EINTR) {
                return null;
            }
            if (failed < 0) {
                throw Failures.of(Subject.EVENT, VERB, failed);
            }
            long fired = Memory.getLong(queue);
            NativeCompletionQueue known = queues.get(fired);
            EventVerbs.ackCqEvents(fired, 1);
            if (known != null) {
                return known;
            }
        }
    }

    @Override
    public void close() {
        boolean ended = lifetime.end("close completion channel", () -> {
            shut();
            int failed = IbVerbs.LIB.destroyCompChannel(address);
            if (failed != 0) {
                throw Failures.of(Subject.QUEUE, "close completion channel", failed);
            }
        });
        if (ended) {
            context.lifetime().children().remove(this);
        }
    }

    @Override
    public String toString() {
        return "completion channel";
    }
}
