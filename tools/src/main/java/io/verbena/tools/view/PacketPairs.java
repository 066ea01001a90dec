package io.verbena.tools.view;

import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds the sender of each connected packet: a packet names only the queue pair that it goes to.
///
/// Messages of the connection manager name both. Without them a pair is guessed from answers: one with the sequence
/// number of a request travels between the same two queue pairs. Where several requests have that number, the most
/// answers decide.
final class PacketPairs {
    private record Place(String address, int qp) {}

    private record Number(String from, String to, int psn) {}

    private final Map<Place, Place> peers = new HashMap<>();
    private final Map<Place, Map<Place, Integer>> votes = new HashMap<>();
    private final Map<Number, Integer> requests = new HashMap<>();
    private final Map<Integer, CmReq> asked = new HashMap<>();

    private PacketPairs() {}

    /// Fills in the sending queue pair.
    static void fillIn(List<ViewEvent> packets) {
        var pairs = new PacketPairs();
        packets.forEach(event -> pairs.learn(event.packet));
        pairs.votes.forEach((place, counts) -> counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .ifPresent(most -> pairs.peers.putIfAbsent(place, most.getKey())));
        for (ViewEvent event : packets) {
            Place peer = pairs.peers.get(new Place(event.packet.to(), event.packet.destinationQp()));
            if (event.qp < 0 && peer != null && peer.address().equals(event.packet.from())) {
                event.qp = peer.qp();
            }
        }
    }

    private void learn(CapturedPacket packet) {
        if (packet.cm() instanceof CmReq request) {
            asked.put(request.localCommId(), request);
        } else if (packet.cm() instanceof CmRep reply && asked.containsKey(reply.remoteCommId())) {
            Place active =
                    new Place(packet.to(), asked.get(reply.remoteCommId()).localQpn());
            Place passive = new Place(packet.from(), reply.localQpn());
            peers.put(active, passive);
            peers.put(passive, active);
        } else if (packet.isRequest()) {
            requests.put(new Number(packet.from(), packet.to(), packet.psn()), packet.destinationQp());
        } else if (packet.opcode().isResponse()) {
            Integer asked = requests.get(new Number(packet.to(), packet.from(), packet.psn()));
            if (asked != null) {
                Place requester = new Place(packet.to(), packet.destinationQp());
                Place responder = new Place(packet.from(), asked);
                vote(requester, responder);
                vote(responder, requester);
            }
        }
    }

    private void vote(Place place, Place peer) {
        votes.computeIfAbsent(place, _ -> new HashMap<>()).merge(peer, 1, Integer::sum);
    }
}
