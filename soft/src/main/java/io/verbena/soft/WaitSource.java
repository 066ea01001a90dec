package io.verbena.soft;

import io.verbena.soft.engine.Engine;
import java.util.Collection;

/// Something a [Waiter] can wait for.
public interface WaitSource {
    boolean isReady();

    void addWaiter(Waiter waiter);

    void removeWaiter(Waiter waiter);

    /// The engines whose work can make it ready.
    Collection<Engine> engines();
}
