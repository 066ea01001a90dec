package io.verbena.soft.engine;

import io.verbena.roce.mad.CmMessage;

/// Receives connection management messages that arrived on QP 1. Runs as the engine's owner.
@FunctionalInterface
public interface ManagementHandler {
    void onMessage(CmMessage message, long sourceHigh, long sourceLow, long nowNs);
}
