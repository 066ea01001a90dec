package io.verbena.lab.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PeerListTest {
    private static final Set<String> KNOWN = Set.of("{c}", "{c6}", "{ours}", "{ours6}", "{port}");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^}]*}");

    @Test
    void shouldHaveEachPeerOnce() {
        for (List<Peer> peers : List.of(PeerList.all(), PeerList.withLoss())) {
            var names = new HashSet<String>();
            peers.forEach(peer -> assertTrue(names.add(peer.name() + ", " + peer.what()), peer::toString));
        }
    }

    @Test
    void shouldUseOnlyKnownPlaceholders() {
        lines().flatMap(line -> PLACEHOLDER.matcher(line).results())
                .forEach(found -> assertTrue(KNOWN.contains(found.group()), found::group));
    }

    @Test
    void shouldStartTheProgramThatAPeerIsNamedFor() {
        for (Peer peer : PeerList.all()) {
            assertEquals(peer.name(), peer.c().server().split(" ")[0]);
            assertEquals(peer.name(), peer.c().client().split(" ")[0]);
        }
    }

    private static Stream<String> lines() {
        return Stream.concat(PeerList.all().stream(), PeerList.withLoss().stream())
                .flatMap(peer -> Stream.of(
                        peer.c().server(),
                        peer.c().client(),
                        peer.ours().server(),
                        peer.ours().client()));
    }
}
