package io.verbena.bench.peer;

import io.verbena.bench.side.Contestant;
import io.verbena.bench.side.Settings;
import java.util.ArrayList;
import java.util.List;

/// All peers, installed here or not.
public final class PeerLibraries {
    private PeerLibraries() {}

    public static List<Contestant> all(Settings settings) {
        List<Contestant> peers = new ArrayList<>();
        peers.add(AeronPeer.ipc());
        peers.add(AeronPeer.udp());
        peers.add(Ucx.posix(settings.ucx()));
        peers.add(Ucx.tcp(settings.ucx()));
        peers.addAll(Libfabric.all());
        return List.copyOf(peers);
    }
}
