package io.verbena.tools.view;

import io.verbena.roce.mad.CmRep;
import io.verbena.roce.mad.CmReq;
import io.verbena.roce.packet.Syndrome;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The streams of requests of one capture.
final class PacketStreams {
    /// A stream is named by where it goes; the sender's number is not in its packets.
    record Key(String from, String to, int destinationQp) {}

    private static final Map<Integer, String> NAKS = Map.of(
            Syndrome.NAK_PSN_SEQUENCE,
            "The receiver misses a packet before the one it got, and asks the sender to start again from this sequence"
                    + " number. Packets get lost, or overtake each other, on the way.",
            Syndrome.NAK_INVALID_REQUEST,
            "The sender will see " + CompletionStatus.REMOTE_INVALID_REQUEST.explain() + ".",
            Syndrome.NAK_REMOTE_ACCESS,
            "The sender will see " + CompletionStatus.REMOTE_ACCESS_ERROR.explain() + ".",
            Syndrome.NAK_REMOTE_OPERATION,
            "The sender will see " + CompletionStatus.REMOTE_OPERATION_ERROR.explain() + ".");

    private final Map<Key, PacketStream> streams = new LinkedHashMap<>();
    private final Map<Integer, CmReq> asked = new HashMap<>();

    private PacketStreams() {}

    /// @param packets of one capture, in the order of the file, with their senders filled in
    static PacketStreams of(List<ViewEvent> packets) {
        var streams = new PacketStreams();
        packets.forEach(streams::add);
        return streams;
    }

    Map<Key, PacketStream> all() {
        return streams;
    }

    private PacketStream stream(String from, String to, int destinationQp) {
        return streams.computeIfAbsent(new Key(from, to, destinationQp), _ -> new PacketStream());
    }

    private void add(ViewEvent event) {
        CapturedPacket packet = event.packet;
        if (packet.cm() instanceof CmReq request) {
            asked.put(request.localCommId(), request);
        } else if (packet.cm() instanceof CmRep reply && asked.containsKey(reply.remoteCommId())) {
            CmReq request = asked.remove(reply.remoteCommId());
            // Each side names the number that it expects first.
            stream(packet.to(), packet.from(), reply.localQpn()).startAt(reply.startingPsn());
            stream(packet.from(), packet.to(), request.localQpn()).startAt(request.startingPsn());
        } else if (packet.isRequest()) {
            stream(packet.from(), packet.to(), packet.destinationQp()).request(event);
        } else if (packet.opcode().isResponse()) {
            explain(event);
            if (event.qp >= 0) {
                stream(packet.to(), packet.from(), event.qp).answer(event);
            }
        }
    }

    private static void explain(ViewEvent event) {
        int syndrome = event.packet.syndrome();
        if (!event.packet.isNak()) {
            return;
        }
        if (Syndrome.isRnrNak(syndrome)) {
            event.mark(
                    Level.WARNING,
                    "Receiver not ready: no receive was posted for this message. The sender waits "
                            + event.packet.wait(syndrome) + " and tries again. Post receives before the peer sends.");
        } else {
            boolean isSequence = syndrome == Syndrome.NAK_PSN_SEQUENCE;
            event.mark(
                    isSequence ? Level.WARNING : Level.ERROR,
                    NAKS.getOrDefault(syndrome, "The receiver refuses the request."));
        }
    }
}
