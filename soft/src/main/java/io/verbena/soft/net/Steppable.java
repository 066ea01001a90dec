package io.verbena.soft.net;

/// An engine under the virtual clock of a [SimulatedNetwork].
public interface Steppable {
    /// Does what is to be done at this time; returns how much that was, 0 when nothing is left to do.
    int step(long nowNs);

    /// How long until there is something to do without a frame arriving.
    long untilNextNs(long nowNs);
}
