package io.verbena.soft.device;

import io.verbena.verbs.attr.AsyncEventType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Reports to all open contexts of a device that its port went down or came up, or that the device failed. Safe from
/// any thread.
final class DeviceHealth {
    static final int PORT = 1;

    private final List<SoftContext> contexts = new CopyOnWriteArrayList<>();
    private boolean up = true;
    private boolean broken;

    void add(SoftContext context) {
        contexts.add(context);
    }

    void remove(SoftContext context) {
        contexts.remove(context);
    }

    /// The contexts that are open.
    List<SoftContext> contexts() {
        return List.copyOf(contexts);
    }

    synchronized boolean isUp() {
        return up;
    }

    /// The device starts anew, with a wire of its own.
    synchronized void start(boolean isUp) {
        up = isUp;
        broken = false;
    }

    /// Reports a change of the port; the same state again reports nothing.
    synchronized void link(boolean isUp) {
        if (up != isUp) {
            up = isUp;
            report(isUp ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERROR, PORT);
        }
    }

    /// A fault that belongs to no queue pair. Only the first is reported.
    synchronized void onFault() {
        if (!broken) {
            broken = true;
            report(AsyncEventType.DEVICE_FATAL, 0);
        }
    }

    private void report(AsyncEventType type, int port) {
        for (SoftContext context : contexts) {
            context.asyncEvents().raise(type, context, port);
        }
    }
}
