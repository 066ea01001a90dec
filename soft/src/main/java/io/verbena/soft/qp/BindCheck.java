package io.verbena.soft.qp;

import io.verbena.soft.mem.BindableRegion;
import io.verbena.soft.mem.BindableWindow;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.spi.PostRules;

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

    /// Why the request is refused; null when it is correct.
    static String refusalReason(SoftQueuePair qp, SoftSendRequest send) {
        if (!(send.window() instanceof BindableWindow window) || !(send.region() instanceof BindableRegion region)) {
            return PostRules.FOREIGN_WINDOW;
        }
        if (window.isClosed() || region.isClosed()) {
            return PostRules.CLOSED_WINDOW;
        }
        if (window.protectionDomain().context() != qp.protectionDomain().context()) {
            return PostRules.WINDOW_OF_OTHER_CONTEXT;
        }
        if (window.type() == MemoryWindowType.TYPE_1 && !send.isBoundByCall()) {
            return PostRules.WINDOW_OF_TYPE_1;
        }
        if (window.protectionDomain() != region.protectionDomain()) {
            return PostRules.WINDOW_OF_OTHER_DOMAIN;
        }
        String reason = PostRules.windowKey(send.rkey(), window.rkey());
        if (reason != null) {
            return reason;
        }
        int other = (int) send.secondOperand() & ~RIGHTS;
        if (other != 0) {
            return "a window does not give " + Access.of(other) + ", only rights of peers";
        }
        if (send.operand() < 0) {
            return "a window of " + send.operand() + " bytes";
        }
        return null;
    }
}
