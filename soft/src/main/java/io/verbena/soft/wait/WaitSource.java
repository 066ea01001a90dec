package io.verbena.soft.wait;

import io.verbena.soft.engine.Engine;
import java.util.Collection;

/// Something a [Waiter] can wait for.
public interface WaitSource {
    /// Whether there is something to take, without letting the engines work first.
    boolean hasEvent();

    /// Whether nothing will ever come any more.
    boolean isClosed();

    void addWaiter(Waiter waiter);

    void removeWaiter(Waiter waiter);

    /// The engines whose work can make it ready.
    Collection<Engine> engines();
}
