package io.verbena.soft.net;

/// Receives frames from a [Wire]. The frame is valid during the call only.
@FunctionalInterface
public interface FrameHandler {
    void onFrame(Frame frame);
}
