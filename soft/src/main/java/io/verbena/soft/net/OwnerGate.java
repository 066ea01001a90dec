package io.verbena.soft.net;

import io.verbena.soft.engine.HeavyFence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/// The way through a [UseGate] for a user who comes with every packet, and of whom there is one at a time: it enters
/// and
/// leaves by plain stores, and whoever closes pays for that. All the time until then it counts as one user of the gate.
final class OwnerGate {
    private static final VarHandle INSIDE;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(OwnerGate.class, "inside", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final UseGate gate;
    private final AtomicBoolean left = new AtomicBoolean();

    /// How often it is inside just now; written by it alone.
    private int inside;

    private volatile boolean closed;

    /// @param gate is open
    OwnerGate(UseGate gate) {
        this.gate = gate;
        gate.enter();
    }

    /// False once closed; [#leave] must be called only after true. May be entered again while inside.
    boolean enter() {
        INSIDE.setOpaque(this, inside + 1);
        HeavyFence.lightOfProcess();
        if (!closed) {
            return true;
        }
        leave();
        return false;
    }

    void leave() {
        int depth = inside - 1;
        INSIDE.setRelease(this, depth);
        HeavyFence.lightOfProcess();
        // Either this sees that it is closed, or who closes sees that nobody is inside.
        if (closed && depth == 0) {
            leaveForGood();
        }
    }

    /// From any thread: lets the owner not enter any more. It leaves the other gate at once, or when it comes out.
    void close() {
        closed = true;
        HeavyFence.inProcess();
        if ((int) INSIDE.getAcquire(this) == 0) {
            leaveForGood();
        }
    }

    private void leaveForGood() {
        if (left.compareAndSet(false, true)) {
            gate.leave();
        }
    }
}
