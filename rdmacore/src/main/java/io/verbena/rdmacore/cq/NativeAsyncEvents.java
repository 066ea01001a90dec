package io.verbena.rdmacore.cq;

import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.event.NativeEventSource;
import io.verbena.rdmacore.layout.AsyncEventStruct;
import io.verbena.rdmacore.layout.IbvContext;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.AsyncEventChannel;
import io.verbena.verbs.attr.AsyncEventType;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A context's asynchronous events.
public final class NativeAsyncEvents extends NativeEventSource<AsyncEvent> implements AsyncEventChannel {
    private static final String VERB = "wait for an asynchronous event";

    private final NativeContext context;
    /// Queue pairs and queues by address; one leaves before it is destroyed.
    private final Map<Long, Object> sources = new ConcurrentHashMap<>();

    public NativeAsyncEvents(NativeContext context) {
        super(VERB, IbvContext.ASYNC_FD.get(context.address()));
        this.context = context;
    }

    /// Events of the C object at that address are this object's.
    public void attach(long address, Object source) {
        sources.put(address, source);
    }

    public void detach(long address) {
        sources.remove(address);
    }

    /// An event is acknowledged at once: destroying what it happened to waits for that.
    @Override
    protected AsyncEvent take() {
        try (Arena arena = Arena.ofConfined()) {
            long event = arena.allocate(AsyncEventStruct.SIZE, 8).address();
            while (true) {
                int failed = IbVerbs.LIB.getAsyncEvent(context.address(), event);
                if (failed == -Libc.EAGAIN || failed == -Libc.EINTR) {
                    return null;
                }
                if (failed < 0) {
                    throw Failures.of(Subject.EVENT, VERB, failed);
                }
                AsyncEvent taken;
                try {
                    taken = decode(event);
                } finally {
                    IbVerbs.LIB.ackAsyncEvent(event);
                }
                if (taken != null) {
                    return taken;
                }
            }
        }
    }

    /// Null when what it happened to is being closed.
    private AsyncEvent decode(long event) {
        AsyncEventType type = AsyncEventType.ofCode(AsyncEventStruct.EVENT_TYPE.get(event));
        switch (type) {
            case DEVICE_FATAL, DEVICE_SPEED_CHANGE -> {
                return new AsyncEvent(type, context, 0);
            }
            case PORT_ACTIVE, PORT_ERROR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE -> {
                return new AsyncEvent(type, context, AsyncEventStruct.ELEMENT_PORT_NUM.get(event));
            }
            default -> {
                Object source = sources.get(AsyncEventStruct.ELEMENT_QP.get(event));
                return source == null ? null : new AsyncEvent(type, source, 0);
            }
        }
    }

    /// To be called when the context is closed.
    public void close() {
        shut();
    }

    @Override
    public String toString() {
        return "asynchronous events of " + context.device().name();
    }
}
