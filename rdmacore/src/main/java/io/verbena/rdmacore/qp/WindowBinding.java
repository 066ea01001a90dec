package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Mw;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.mem.NativeMemoryRegion;
import io.verbena.rdmacore.mem.NativeMemoryWindow;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.attr.MemoryWindowType;

/// The objects that a request to bind a window names, which must be there while it is posted.
record WindowBinding(NativeMemoryWindow window, int rkey, NativeMemoryRegion region) implements HeldObject {
    /// Null when one of them is of another provider.
    static WindowBinding of(MemoryWindow window, int rkey, MemoryRegion region) {
        return window instanceof NativeMemoryWindow ownWindow && region instanceof NativeMemoryRegion ownRegion
                ? new WindowBinding(ownWindow, rkey, ownRegion)
                : null;
    }

    /// Why it cannot be posted to a queue pair of that context; null when it can.
    String refusal(long context) {
        if (Mw.context(window.address()) != context) { // the driver would read a struct of another one
            return "the window is of another context";
        }
        if (window.type() != MemoryWindowType.TYPE_2) {
            return "the window is of type 1; bind it with MemoryWindow.bind";
        }
        if (((rkey ^ window.rkey()) & ~0xFF) != 0) { // drivers ignore the other bits, and bind under another key
            return "key 0x%x is not of the window, whose last one was 0x%x; use Keys.increment"
                    .formatted(rkey, window.rkey());
        }
        return window.protectionDomain() == region.protectionDomain()
                ? null
                : "window and memory region are of different protection domains";
    }

    /// Keeps both until [#release] and names them in the struct; false when one is closed.
    boolean acquire(long sendWr) {
        if (!window.acquire()) {
            return false;
        }
        if (!region.acquire()) {
            window.release();
            return false;
        }
        SendWr.bindMwMw(sendWr, window.address());
        SendWr.bindMwBindInfoMr(sendWr, region.struct());
        return true;
    }

    @Override
    public void release() {
        region.release();
        window.release();
    }

    void posted() {
        window.bound(rkey);
    }
}
