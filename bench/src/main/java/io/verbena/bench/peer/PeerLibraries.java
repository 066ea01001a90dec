package io.verbena.bench.peer;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Network;
import io.verbena.bench.side.Settings;
import java.util.ArrayList;
import java.util.List;

/// All peers, installed here or not.
public final class PeerLibraries {
    private PeerLibraries() {}

    public static List<Contestant> all(Settings settings) {
        List<Contestant> peers = new ArrayList<>();
        peers.add(AeronPeer.ipc());
        peers.add(Ucx.posix(settings.ucx()));
        peers.add(Libfabric.shm());
        peers.addAll(overNetwork(settings));
        return List.copyOf(peers);
    }

    /// Those that take an address, and can run on two hosts.
    public static List<Contestant> overNetwork(Settings settings) {
        Network network = settings.network();
        return List.of(
                AeronPeer.udp(network),
                TcpLibraries.netty(network),
                TcpLibraries.grpc(network),
                Ucx.tcp(settings.ucx(), network),
                Libfabric.tcp(network),
                Libfabric.rxd(network));
    }
}
