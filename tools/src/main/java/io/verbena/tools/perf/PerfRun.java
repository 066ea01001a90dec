package io.verbena.tools.perf;

import java.util.List;

/// A run, when both sides are connected and before anything is measured.
///
/// - `client`: this side's role
/// - `verbenaPeer`: the peer is Verbena, else a perftest program of `peerVersion`
/// - `device`, `provider`: this side's
/// - `gidIndex`, `mtu`: of this side's queue pairs; the MTU is the smaller of both sides' wishes
/// - `local`, `remote`: one each of every queue pair
public record PerfRun(
        PerfParameters parameters,
        boolean client,
        boolean verbenaPeer,
        String peerVersion,
        String peerAddress,
        String device,
        String provider,
        int gidIndex,
        int mtu,
        List<KeyLine> local,
        List<KeyLine> remote) {

    public PerfRun {
        local = List.copyOf(local);
        remote = List.copyOf(remote);
    }
}
