package io.verbena.soft.qp;

import io.verbena.soft.mem.BindableRegion;
import io.verbena.soft.mem.BindableWindow;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;

/// Checks a request to bind a window while it is being posted. Conditions that may change until the bind is executed
/// (whether the window is free, what the region allows) are checked then.
final class BindCheck {
    /// A window of type 2 may also be zero based; relaxed ordering is a hint everywhere.
    private static final int RIGHTS = Access.bits(
            Access.REMOTE_READ,
            Access.REMOTE_WRITE,
            Access.REMOTE_ATOMIC,
            Access.FLUSH_GLOBAL,
            Access.FLUSH_PERSISTENT,
            Access.ZERO_BASED,
            Access.RELAXED_ORDERING);

    private BindCheck() {}

    /// Why the request is refused. Null when it is correct; then the request names the region by its present key.
    static String refusalReason(SoftQueuePair qp, SoftSendRequest send) {
        if (!(send.window instanceof BindableWindow window) || !(send.region instanceof BindableRegion region)) {
            return "the memory window or the memory region is of another provider";
        }
        if (window.isClosed() || region.isClosed()) {
            return "the memory window or the memory region is closed";
        }
        if (window.protectionDomain().context() != qp.protectionDomain().context()) {
            return "the window is of another context";
        }
        if (window.type() == MemoryWindowType.TYPE_1 && !send.boundByCall) {
            return "the window is of type 1; bind it with MemoryWindow.bind";
        }
        if (window.protectionDomain() != region.protectionDomain()) {
            return "window and memory region are of different protection domains";
        }
        if ((send.rkey ^ window.rkey()) >>> 8 != 0) {
            return "0x%x is no key of window 0x%x: only its low 8 bits may be chosen; see Keys.increment"
                    .formatted(send.rkey, window.rkey());
        }
        int other = (int) send.secondOperand & ~RIGHTS;
        if (other != 0) {
            return "a window does not give " + Access.of(other) + ", only rights of peers";
        }
        if (send.operand < 0) {
            return "a window of " + send.operand + " bytes";
        }
        send.immediate = region.lkey();
        return null;
    }
}
