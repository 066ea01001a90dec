package io.verbena.tools.view;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// All that belongs to one send request: its post, its packets and their answers, its completion, and at the peer the
/// receive that it filled.
final class RequestFlow {
    final int id;
    final List<ViewEvent> events = new ArrayList<>();
    ViewEvent post;
    ViewEvent completion;
    /// The receive's completion at the peer.
    ViewEvent received;
    /// The packet that acknowledges it; it may belong to a later request.
    ViewEvent acknowledged;

    RequestFlow(int id) {
        this.id = id;
    }

    /// How often its first packet was sent and what was answered; empty without a capture.
    String onWire() {
        List<ViewEvent> requests = events.stream()
                .filter(event -> event.isPacket() && event.packet.isRequest())
                .toList();
        if (requests.isEmpty()) {
            return "";
        }
        int first = requests.getFirst().packet.psn();
        long sent =
                requests.stream().filter(event -> event.packet.psn() == first).count();
        Map<String, Long> answers = events.stream()
                .filter(event -> event.isPacket() && event.packet.isNak())
                .collect(Collectors.groupingBy(event -> event.name, LinkedHashMap::new, Collectors.counting()));
        String answered = acknowledged != null && !acknowledged.packet.isNak() ? "acknowledged" : "no answer";
        return times(sent, "sent") + ", "
                + (answers.isEmpty()
                        ? answered
                        : answers.entrySet().stream()
                                .map(each -> times(each.getValue(), "answered") + " by " + each.getKey())
                                .collect(Collectors.joining(", ")));
    }

    private static String times(long count, String word) {
        return count == 1 ? word + " once" : word + " " + count + " times";
    }

    /// An event belongs to one request only: the first one that claims it.
    void add(ViewEvent event) {
        if (event.flow == null) {
            event.flow = this;
            events.add(event);
        }
    }
}
