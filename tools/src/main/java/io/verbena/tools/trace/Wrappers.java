package io.verbena.tools.trace;

import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.AsyncEventChannel;
import io.verbena.verbs.CompletionChannel;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.Poller;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.SharedReceiveQueue;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionManager;
import io.verbena.verbs.cm.EventChannel;
import io.verbena.verbs.spi.RdmaProvider;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The proxies of one provider: each of its objects has one proxy and one name.
final class Wrappers {
    /// The wrapped interfaces, each with the prefix of its objects' names.
    static final Map<Class<?>, String> TYPES = types();

    private final Map<Object, Object> wrappers = new IdentityHashMap<>();
    private final Map<Object, String> names = new IdentityHashMap<>();
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final ValueMapper wrap = new ValueMapper(this::wrapObject);
    private final ValueMapper unwrap = new ValueMapper(this::unwrapObject);
    private final Recorder recorder;

    Wrappers(Recorder recorder) {
        this.recorder = recorder;
    }

    private static Map<Class<?>, String> types() {
        Map<Class<?>, String> types = new LinkedHashMap<>();
        types.put(RdmaProvider.class, "provider");
        types.put(Device.class, "device");
        types.put(Context.class, "context");
        types.put(ProtectionDomain.class, "PD");
        types.put(MemoryRegion.class, "MR");
        types.put(MemoryWindow.class, "MW");
        types.put(AddressHandle.class, "AH");
        types.put(CompletionQueue.class, "CQ");
        types.put(CompletionChannel.class, "channel");
        types.put(AsyncEventChannel.class, "async events");
        types.put(SharedReceiveQueue.class, "SRQ");
        types.put(QueuePair.class, "QP");
        types.put(SendRequest.class, "send request");
        types.put(ReceiveRequest.class, "receive request");
        types.put(Poller.class, "poller");
        types.put(ConnectionManager.class, "connection manager");
        types.put(ConnectionId.class, "id");
        types.put(EventChannel.class, "event channel");
        return types;
    }

    /// Replaces the provider's objects in a value by proxies, for the program.
    Object wrap(Object value) {
        return wrap.convert(value);
    }

    /// Replaces proxies in a value by the provider's objects, for the provider.
    Object unwrap(Object value) {
        return unwrap.convert(value);
    }

    /// The name of an object in the trace, wrapped or not.
    String name(Object apiObject) {
        Object target = unwrapObject(apiObject);
        return switch (target) {
            case null -> "none";
            case QueuePair qp -> Details.queuePair(qp.number());
            case Device device -> device.name();
            case Context context -> context.device().name();
            default -> numbered(target);
        };
    }

    private synchronized String numbered(Object target) {
        return names.computeIfAbsent(target, t -> {
            String type = TYPES.get(typeOf(t));
            return type + " " + counts.merge(type, 1, Integer::sum);
        });
    }

    /// Removes an object that was closed.
    synchronized void forget(Object target) {
        wrappers.remove(target);
        names.remove(target);
    }

    private Object wrapObject(Object value) {
        Class<?> type = typeOf(value);
        if (type == null || Proxy.isProxyClass(value.getClass())) {
            return value;
        }
        if (value instanceof SendRequest || value instanceof ReceiveRequest) {
            return newWrapper(value); // only the program has it
        }
        synchronized (this) {
            Object wrapper = wrappers.get(value);
            if (wrapper == null) {
                wrapper = newWrapper(value);
                wrappers.put(value, wrapper);
            }
            return wrapper;
        }
    }

    private Object newWrapper(Object value) {
        Class<?>[] types =
                TYPES.keySet().stream().filter(type -> type.isInstance(value)).toArray(Class<?>[]::new);
        return Proxy.newProxyInstance(Wrappers.class.getClassLoader(), types, new TracedObject(this, recorder, value));
    }

    private Object unwrapObject(Object value) {
        if (value instanceof WorkCompletionHandler handler) {
            return recorder.onCompletion(handler);
        }
        TracedObject traced = traced(value);
        return traced == null ? value : traced.target();
    }

    /// The handler behind a wrapper, else null.
    static TracedObject traced(Object value) {
        return value != null
                        && Proxy.isProxyClass(value.getClass())
                        && Proxy.getInvocationHandler(value) instanceof TracedObject traced
                ? traced
                : null;
    }

    static boolean isOfApi(Object value) {
        return typeOf(value) != null;
    }

    private static Class<?> typeOf(Object value) {
        for (Class<?> type : TYPES.keySet()) {
            if (type.isInstance(value)) {
                return type;
            }
        }
        return null;
    }
}
