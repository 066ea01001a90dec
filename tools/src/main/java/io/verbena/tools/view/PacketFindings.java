package io.verbena.tools.view;

import static io.verbena.tools.view.Finding.fact;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// What captures tell: lost packets, packets that were sent again, and refusals.
final class PacketFindings {
    private static final int MOST_REQUESTS = 4;
    private static final double MS = 1e6;

    private final Conversation conversation;
    private final Causes causes;
    private final List<Finding> found = new ArrayList<>();

    private PacketFindings(Conversation conversation, Causes causes) {
        this.conversation = conversation;
        this.causes = causes;
    }

    static List<Finding> of(Conversation conversation, Causes causes) {
        var findings = new PacketFindings(conversation, causes);
        conversation.captures().forEach(capture -> capture.all().forEach(findings::stream));
        return findings.found;
    }

    private void stream(PacketStreams.Key key, PacketStream stream) {
        String where = where(key, stream);
        boolean isLoss = !stream.lost.isEmpty() || !stream.lostBehind.isEmpty();
        if (isLoss) {
            loss(stream, where);
        } else if (!areTold(stream.repeated) && !areRefused(stream)) {
            found.add(isSilent(stream) ? silence(stream, where) : repetition(stream, where));
        }
        naks(stream, where, isLoss);
        absent(stream, where);
    }

    private String where(PacketStreams.Key key, PacketStream stream) {
        ViewEvent packet = !stream.messages.isEmpty() ? stream.messages.getFirst().first : null;
        return packet == null || packet.side == null
                ? " from %s to %s of %s".formatted(key.from(), ViewEvent.queuePair(key.destinationQp()), key.to())
                : " from the %s to the %s"
                        .formatted(conversation.name(packet.side), conversation.name(packet.side.other()));
    }

    /// Whether each of them belongs to a request whose failure is a finding of its own.
    private static boolean areTold(List<ViewEvent> events) {
        return events.stream()
                .allMatch(event -> event.flow != null
                        && event.flow.completion != null
                        && !event.flow.completion.status.equals("SUCCESS"));
    }

    /// Whether what was sent again had been refused: then the refusals tell of it.
    private static boolean areRefused(PacketStream stream) {
        Set<RequestFlow> refused = new HashSet<>();
        stream.naks.forEach(nak -> refused.add(nak.flow));
        return stream.repeated.stream().allMatch(event -> event.flow != null && refused.contains(event.flow));
    }

    /// Whether nothing that was sent again was ever acknowledged.
    private static boolean isSilent(PacketStream stream) {
        return stream.naks.isEmpty()
                && stream.repeated.stream().allMatch(event -> event.flow != null && event.flow.acknowledged == null);
    }

    private Finding repetition(PacketStream stream, String where) {
        return new Finding(
                Level.WARNING,
                count(stream.repeated.size(), "packet was", "packets were") + " sent again" + where,
                ends(repeated(stream)),
                stream.repeated.getFirst().note,
                "",
                stream.repeated.getFirst(),
                causes.ofRepetition(stream));
    }

    private Finding silence(PacketStream stream, String where) {
        long unanswered =
                stream.repeated.stream().map(event -> event.flow).distinct().count();
        List<Finding.Fact> facts = new ArrayList<>();
        facts.add(fact("sent again", count(stream.repeated.size(), "packet", "packets")));
        stream.messages.reversed().stream()
                .map(message -> message.acknowledged)
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(last -> facts.add(fact("last answer", "at " + conversation.time(last))));
        return new Finding(
                Level.WARNING,
                count(unanswered, "request", "requests") + where + " got no answer",
                facts,
                "They were sent again and again, and nothing came back: the receiver is dead, stopped or unreachable, or"
                        + " its queue pair is gone or in error.",
                "Look whether the receiver still runs and can be reached.",
                stream.repeated.getFirst(),
                causes.ofRepetition(stream));
    }

    static String count(long count, String one, String more) {
        return count == 1 ? "1 " + one : count + " " + more;
    }

    private void loss(PacketStream stream, String where) {
        int before = stream.lost.stream()
                .mapToInt(gap -> (int) (gap.to - gap.from + 1))
                .sum();
        int lost = before + stream.lostBehind.size();
        ViewEvent first = firstOf(stream);
        List<RequestFlow> repeated = repeated(stream);
        List<RequestFlow> late = late(repeated);
        List<Finding.Fact> facts = new ArrayList<>();
        facts.add(fact("lost", lost(stream)));
        facts.add(fact(
                "asked for",
                stream.naks.stream().anyMatch(Causes::isSequenceNak)
                        ? Causes.asked(stream) + ", by the receiver (NAK)"
                        : "nothing: the receiver did not acknowledge them"));
        facts.add(fact("sent again", count(stream.repeated.size(), "packet", "packets")));
        facts.addAll(ends(repeated));
        found.add(new Finding(
                Level.WARNING,
                count(lost, "packet", "packets")
                        + where
                        + (lost == 1 ? " was lost" : " were lost")
                        + (late.isEmpty()
                                ? ""
                                : ", so " + count(late.size(), "request was", "requests were") + " late"),
                facts,
                "The way between the two devices loses packets, and the sender repeats all from the first missing one on."
                        + " The programs did nothing wrong, and see nothing of it but the delay. (PSN: packet sequence"
                        + " number.)",
                "Find where packets are dropped: a network that loses them, a buffer on the way that is too small, or a"
                        + " receiver that is too busy.",
                first,
                causes.ofLoss(stream)));
    }

    /// What got lost the first time, and what got lost again.
    private static String lost(PacketStream stream) {
        Set<Long> positions = new TreeSet<>();
        Set<Long> again = new TreeSet<>();
        stream.lost.forEach(gap -> addAll(gap.isOfKnown ? again : positions, gap.from, gap.to));
        stream.lostBehind.forEach(nak -> positions.add(nak.position()));
        String first = positions.isEmpty() ? "" : numbers(positions).toString();
        if (again.isEmpty()) {
            return first;
        }
        return (first.isEmpty() ? "" : first + "; ") + numbers(again) + " when sent again";
    }

    private static PsnNumbers numbers(Set<Long> positions) {
        var numbers = new PsnNumbers();
        positions.forEach(position -> numbers.add(position, position));
        return numbers;
    }

    /// Limited: a capture that was stopped for a while has gaps of millions.
    private static void addAll(Set<Long> positions, long from, long to) {
        for (long position = from; position <= Math.min(to, from + 10_000); position++) {
            positions.add(position);
        }
    }

    private static ViewEvent firstOf(PacketStream stream) {
        return stream.lost.isEmpty() ? stream.lostBehind.getFirst().event() : stream.lost.getFirst().event;
    }

    /// The requests of which packets were sent again, and whose end is known.
    static List<RequestFlow> repeated(PacketStream stream) {
        return stream.repeated.stream()
                .map(event -> event.flow)
                .filter(flow -> flow != null && flow.post != null && flow.completion != null)
                .distinct()
                .toList();
    }

    private static List<RequestFlow> late(List<RequestFlow> repeated) {
        return repeated.stream()
                .filter(flow -> flow.completion.status.equals("SUCCESS"))
                .toList();
    }

    /// How they ended.
    private static List<Finding.Fact> ends(List<RequestFlow> repeated) {
        List<Finding.Fact> facts = new ArrayList<>();
        List<RequestFlow> late = late(repeated);
        late.stream().limit(MOST_REQUESTS).forEach(flow -> facts.add(fact("late", lateness(flow))));
        if (late.size() > MOST_REQUESTS) {
            facts.add(fact("late", (late.size() - MOST_REQUESTS) + " more requests"));
        }
        if (late.size() < repeated.size()) {
            List<ViewEvent> failed = repeated.stream()
                    .filter(flow -> !flow.completion.status.equals("SUCCESS"))
                    .map(flow -> flow.post)
                    .toList();
            facts.add(fact("failed", FailedRequests.numbers(failed)));
        }
        return facts;
    }

    static String lateness(RequestFlow flow) {
        return "wr_id %d took %.1f ms; from its first packet to the last one sent again: %.1f ms"
                .formatted(flow.post.wrId(), (flow.completion.timeNs - flow.post.timeNs) / MS, delayNs(flow) / MS);
    }

    /// From the first packet of a request to the last one that was sent again.
    static long delayNs(RequestFlow flow) {
        long first = Long.MAX_VALUE;
        long last = 0;
        for (ViewEvent event : flow.events) {
            if (event.isPacket() && event.packet.isRequest()) {
                first = Math.min(first, event.timeNs);
                last = Math.max(last, event.timeNs);
            }
        }
        return Math.max(0, last - first);
    }

    private void naks(PacketStream stream, String where, boolean isLoss) {
        Map<String, List<ViewEvent>> kinds = new LinkedHashMap<>();
        for (ViewEvent nak : stream.naks) {
            if (!isLoss || !Causes.isSequenceNak(nak)) {
                kinds.computeIfAbsent(nak.name, _ -> new ArrayList<>()).add(nak);
            }
        }
        kinds.forEach((name, naks) -> {
            if (!areTold(naks)) {
                ViewEvent first = naks.getFirst();
                String title = refusal(first) + where + ": " + count(naks.size(), "answer ", "answers ") + name;
                boolean isOneRequest = first.flow != null && naks.stream().allMatch(nak -> nak.flow == first.flow);
                List<Finding.Fact> facts = isOneRequest ? List.of(fact("on the wire", first.flow.onWire())) : List.of();
                found.add(new Finding(first.level, title, facts, first.note, "", first, causes.ofNak(naks)));
            }
        });
    }

    private static String refusal(ViewEvent nak) {
        return nak.name.equals("RNR NAK")
                ? "No receive was posted for what was sent"
                : (Causes.isSequenceNak(nak) ? "Packets are missing in what was sent" : "What was sent was refused");
    }

    private void absent(PacketStream stream, String where) {
        if (!stream.absent.isEmpty()) {
            var numbers = new PsnNumbers();
            stream.absent.forEach(gap -> numbers.add(gap.from, gap.to));
            found.add(Finding.of(
                    Level.WARNING,
                    count(numbers.count(), "packet", "packets") + where + (numbers.count() == 1 ? " is" : " are")
                            + " not in the capture: " + numbers,
                    "They were not sent again, so they probably arrived, and the capture missed them. If the request"
                            + " failed, they were lost.",
                    stream.absent.getFirst().event,
                    causes.ofAbsence(stream)));
        }
    }
}
