package io.verbena.tools.view;

import io.verbena.tools.recording.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Whose queue pair a number in a packet is. Devices number their queue pairs independently of each other: a number
/// that both sides have tells nothing.
final class QueuePairSides {
    private final Map<Integer, Side> sides = new HashMap<>();
    private final Set<Integer> ambiguous = new TreeSet<>();

    private QueuePairSides() {}

    /// @param captures with the senders of their packets filled in
    static QueuePairSides of(Map<Side, Source> traces, List<Source> captures) {
        var sides = new QueuePairSides();
        traces.forEach((side, trace) -> trace.events().forEach(event -> sides.use(event.qp, side)));
        Map<Integer, String> addresses = new HashMap<>();
        for (Source capture : captures) {
            for (ViewEvent event : capture.events()) {
                if (!event.packet.isDatagram()) { // those of one queue pair may have several addresses
                    sides.use(event.qp, event.packet.from(), addresses);
                    sides.use(event.packet.destinationQp(), event.packet.to(), addresses);
                }
            }
        }
        return sides;
    }

    private void use(int qp, Side side) {
        Side known = qp < 0 ? null : sides.putIfAbsent(qp, side);
        if (known != null && known != side) {
            ambiguous.add(qp);
        }
    }

    /// Also a side without a trace may have the number.
    private void use(int qp, String address, Map<Integer, String> addresses) {
        String known = sides.containsKey(qp) ? addresses.putIfAbsent(qp, address) : null;
        if (known != null && !known.equals(address)) {
            ambiguous.add(qp);
        }
    }

    /// Null when it is unknown.
    Side of(int qp) {
        return ambiguous.contains(qp) ? null : sides.get(qp);
    }

    List<String> notes() {
        return ambiguous.stream()
                .map(qp -> "Packets of " + ViewEvent.queuePair(qp)
                        + " are not matched with traces: both sides have a queue pair of this number.")
                .toList();
    }
}
