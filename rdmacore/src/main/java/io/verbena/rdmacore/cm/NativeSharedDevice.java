package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.NativeContext;
import io.verbena.rdmacore.NativeProtectionDomain;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// A device that several ids use: the context that librdmacm opened, and a protection domain for programs that need
/// only one.
final class NativeSharedDevice {
    private final NativeContext context;
    private int users;
    private NativeProtectionDomain domain;

    NativeSharedDevice(NativeContext context) {
        this.context = context;
        context.lifetime().children().add(new Hold());
    }

    NativeContext context() {
        return context;
    }

    synchronized NativeSharedDevice retain() {
        users++;
        return this;
    }

    /// Closes the protection domain with the last id, unless the program still has objects of it.
    synchronized void release() {
        users--;
        if (users == 0 && domain != null) {
            try {
                domain.close();
                domain = null;
            } catch (RdmaException e) {
                if (e.errno() != Errno.EBUSY) {
                    throw e;
                }
            }
        }
    }

    synchronized NativeProtectionDomain domain() {
        if (domain == null || domain.lifetime().hasEnded()) {
            domain = context.allocateProtectionDomain();
        }
        return domain;
    }

    /// Keeps programs from closing a context that librdmacm goes on using.
    private static final class Hold implements AutoCloseable {
        @Override
        public void close() {
            throw new RdmaException(
                    "close context", Errno.EBUSY, "it belongs to the connection manager; close only what you opened");
        }

        @Override
        public String toString() {
            return "the connection manager";
        }
    }
}
