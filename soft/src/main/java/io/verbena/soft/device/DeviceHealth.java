package io.verbena.soft.device;

import io.verbena.verbs.attr.AsyncEventType;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// What every open context of a device is told: that its port went down or came up, and that the device broke. Safe
/// from any thread.
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

    synchronized boolean isUp() {
        return up;
    }

    /// The device starts anew, with a wire of its own.
    synchronized void start(boolean isUp) {
        up = isUp;
        broken = false;
    }

    /// Tells of a change; saying the same again says nothing.
    synchronized void link(boolean isUp) {
        if (up != isUp) {
            up = isUp;
            tell(isUp ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERROR, PORT);
        }
    }

    /// Something failed that no queue pair can be blamed for. The first time counts.
    synchronized void onFault() {
        if (!broken) {
            broken = true;
            tell(AsyncEventType.DEVICE_FATAL, 0);
        }
    }

    private void tell(AsyncEventType type, int port) {
        for (SoftContext context : contexts) {
            context.asyncEvents().raise(type, context, port);
        }
    }
}
