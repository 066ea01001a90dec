package io.verbena.soft.net;

/// An engine under the virtual clock of a [SimulatedNetwork].
public interface Steppable {
    /// Runs one step at this time. Returns how much was done, 0 when nothing is left to do.
    int step(long nowNs);

    /// How long until there is something to do without a frame arriving.
    long untilNextNs(long nowNs);
}
