package io.verbena.rdmacore.qp;

import io.verbena.rdmacore.layout.Mw;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.mem.NativeMemoryRegion;
import io.verbena.rdmacore.mem.NativeMemoryWindow;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.spi.PostRules;

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
        if (Mw.CONTEXT.get(window.address()) != context) { // the driver would read a struct of another one
            return PostRules.WINDOW_OF_OTHER_CONTEXT;
        }
        if (window.type() != MemoryWindowType.TYPE_2) {
            return PostRules.WINDOW_OF_TYPE_1;
        }
        if (window.protectionDomain() != region.protectionDomain()) {
            return PostRules.WINDOW_OF_OTHER_DOMAIN;
        }
        return PostRules.windowKey(rkey, window.rkey()); // drivers ignore the other bits, and bind under another key
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
        SendWr.BIND_MW_MW.set(sendWr, window.address());
        SendWr.BIND_MW_BIND_INFO_MR.set(sendWr, region.struct());
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
