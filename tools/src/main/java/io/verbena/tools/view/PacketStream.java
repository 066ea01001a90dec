package io.verbena.tools.view;

import io.verbena.roce.packet.Psn;
import io.verbena.roce.packet.Syndrome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The requests that one queue pair sends to another, and their answers: divided into messages by sequence numbers.
///
/// First all packets are added in the order of the capture, which shows what was skipped and what was sent again. Then
/// [#finish(int)] makes messages of them in the order of their numbers: of what got lost, only the repetition is there.
///
/// A position is a sequence number that goes on counting where the number of 24 bits starts again.
final class PacketStream {
    /// So many gaps are looked at when packets are sent again: the sender fills old ones first.
    private static final int RECENT_GAPS = 16;

    private static final long EPOCH = 1L << 24;

    /// Numbers that the sender passed over.
    static final class Gap {
        /// The packet behind it.
        final ViewEvent event;

        final long from;
        final long to;
        /// The packets of the gap had been sent before, so that only their repetition shows that they are missed again.
        final boolean isOfKnown;

        boolean isSentAgain;

        Gap(ViewEvent event, long from, long to, boolean isOfKnown) {
            this.event = event;
            this.from = from;
            this.to = to;
            this.isOfKnown = isOfKnown;
        }

        boolean has(long position) {
            return from <= position && position <= to;
        }

        /// `PSN 3 is missing`
        @Override
        public String toString() {
            var numbers = new PsnNumbers();
            numbers.add(from, to);
            return numbers + (from == to ? " is" : " are") + " missing";
        }
    }

    private record Request(ViewEvent event, long position, boolean isRestOfRead) {}

    record Answer(ViewEvent event, long position) {}

    final List<PacketMessage> messages = new ArrayList<>();
    final List<ViewEvent> repeated = new ArrayList<>();
    final List<ViewEvent> naks = new ArrayList<>();
    /// What was lost on the way to the capture: it was sent again later.
    final List<Gap> lost = new ArrayList<>();
    /// What is not in the capture at all.
    final List<Gap> absent = new ArrayList<>();
    /// NAKs that ask for a packet which the capture has: it was lost behind it.
    final List<Answer> lostBehind = new ArrayList<>();

    private final List<Request> requests = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final Deque<Gap> recent = new ArrayDeque<>();
    /// Where responses to READs were seen behind which the same READ goes on.
    private final Set<Long> unendedResponses = new HashSet<>();

    /// The first sequence number, as the connection manager named it; -1: its messages are not in the capture.
    private int start = -1;

    /// Behind all that was sent; -1: nothing was.
    private long high = -1;
    /// What comes next if nothing is skipped or repeated.
    private long next = -1;

    private Request highest;
    private long lowest = Long.MAX_VALUE;
    private long askedFor = -1;
    private long lowestAsked = Long.MAX_VALUE;
    private boolean isBehindRead;
    /// So many messages are acknowledged.
    private int acknowledged;

    void startAt(int psn) {
        start = requests.isEmpty() ? psn : start;
        long base = high < 0 ? EPOCH : (high / EPOCH + 2) * EPOCH;
        high = base + psn;
        next = high;
        recent.clear();
    }

    private long position(int psn) {
        return high + Psn.distance(psn, psn(high));
    }

    static int psn(long position) {
        return (int) (position & Psn.MASK);
    }

    void request(ViewEvent event) {
        int psn = event.packet.psn();
        if (high < 0) {
            high = EPOCH + psn;
            next = high;
        }
        long position = position(psn);
        if (isKeepAlive(event, position)) {
            event.mark(Level.NOTABLE, "A keep-alive: a packet without data that asks whether the peer still answers.");
            return;
        }
        if (position > next && !isBehindRead) {
            skip(event, next, Math.min(position, high) - 1, true);
            skip(event, Math.max(next, high), position - 1, false);
        }
        boolean isRestOfRead =
                position < high && event.packet.isReadRequest() && unendedResponses.contains(position - 1);
        if (position < high) {
            again(event, position);
        }
        var request = new Request(event, position, isRestOfRead);
        requests.add(request);
        highest = position >= high ? request : highest;
        lowest = Math.min(lowest, position);
        high = Math.max(high, position + 1);
        next = position + 1;
        isBehindRead = event.packet.isReadRequest();
    }

    /// It has the number of the last packet, but no data.
    private boolean isKeepAlive(ViewEvent event, long position) {
        if (position != high - 1 || event.packet.payloadBytes() != 0 || !event.operation.equals("RDMA_WRITE")) {
            return false;
        }
        return highest == null
                || highest.position != position
                || highest.event.packet.payloadBytes() != 0
                || !highest.event.operation.equals("RDMA_WRITE");
    }

    private void skip(ViewEvent event, long from, long to, boolean isOfKnown) {
        if (from <= to) {
            var gap = new Gap(event, from, to, isOfKnown);
            gaps.add(gap);
            recent.add(gap);
            if (recent.size() > RECENT_GAPS) {
                recent.remove();
            }
        }
    }

    private void again(ViewEvent event, long position) {
        repeated.add(event);
        event.mark(
                Level.WARNING,
                "Sent again: this sequence number (PSN) was used before. The first packet or its answer did not arrive, or the receiver was not ready.");
        askedFor = -1;
        recent.stream().filter(gap -> gap.has(position)).forEach(gap -> gap.isSentAgain = true);
        recent.removeIf(gap -> gap.to == position);
    }

    void answer(ViewEvent event) {
        boolean isResponse = event.packet.opcode().isReadResponse();
        if (event.packet.isNak()) {
            naks.add(event);
        }
        if (high < 0) {
            return;
        }
        long position = position(event.packet.psn());
        if (isResponse && !event.packet.opcode().endsMessage()) {
            unendedResponses.add(position);
        }
        if (isResponse && position >= high) {
            next = next == high ? position + 1 : next;
            high = position + 1;
        }
        if (event.packet.syndrome() == Syndrome.NAK_PSN_SEQUENCE) {
            ask(event, position);
        }
        answers.add(new Answer(event, position));
    }

    private void ask(ViewEvent nak, long position) {
        boolean isGap = recent.stream().anyMatch(gap -> gap.has(position));
        recent.stream().filter(gap -> gap.has(position)).forEach(gap -> gap.isSentAgain = true);
        if (!isGap && position >= lowest && position < high && position != askedFor) {
            lostBehind.add(new Answer(nak, position));
        }
        askedFor = position;
        lowestAsked = Math.min(lowestAsked, position);
    }

    /// The sender of the requests; -1: there are none, or it is not known.
    int sender() {
        return requests.isEmpty() ? -1 : requests.getFirst().event.qp;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    /// Makes the messages, when all packets are there.
    ///
    /// @param psnOfTrace the first sequence number as a trace names it; -1: not known
    void finish(int psnOfTrace) {
        start = start >= 0 ? start : psnOfTrace;
        Request first = requests.isEmpty() ? null : requests.getFirst();
        requests.sort(Comparator.comparingLong(Request::position));
        divide();
        // Before the first packet only what the receiver asks for was lost for sure, if it is not known where all
        // began.
        long from = isFromTheStart() ? lowest : Math.max(lowest, lowestAsked);
        if (first != null && first.position > from) {
            var gap = new Gap(first.event, from, first.position - 1, false);
            gap.isSentAgain = true;
            gaps.addFirst(gap);
        }
        for (Gap gap : gaps) {
            if (gap.isSentAgain) {
                lost.add(gap);
                gap.event.mark(Level.WARNING, gap + " before this packet: lost on the way, and sent again.");
            } else if (!gap.isOfKnown) {
                absent.add(gap);
                gap.event.mark(Level.WARNING, gap + " before this packet, and not sent again: lost, or not captured.");
            }
        }
        answers.forEach(this::assign);
    }

    private void divide() {
        PacketMessage open = null;
        for (Request each : requests) {
            boolean isPartOfOpen = open != null && (each.isRestOfRead || each.position <= open.to);
            if (!isPartOfOpen
                    && (open == null
                            || open.isEnded
                            || each.event.packet.opcode().startsMessage())) {
                open = new PacketMessage(each.event, each.position);
                messages.add(open);
            }
            open.add(each.event, each.position);
        }
    }

    /// Whether the first message of the stream is the first that was sent. One that the capture missed would shift all
    /// others.
    boolean isFromTheStart() {
        if (start < 0 || messages.isEmpty()) {
            return false;
        }
        CapturedPacket first = messages.getFirst().first.packet;
        return first.psn() == start && first.opcode().startsMessage();
    }

    private void assign(Answer answer) {
        PacketMessage message = messageAt(answer.position);
        if (message != null) {
            message.flow.add(answer.event);
        }
        if (answer.event.packet.isNak()) {
            return;
        }
        // An answer acknowledges all earlier requests, too.
        while (acknowledged < messages.size()) {
            PacketMessage each = messages.get(acknowledged);
            if (each.from > answer.position || each.to > answer.position) {
                break;
            }
            each.acknowledged = answer.event;
            each.flow.acknowledged = answer.event;
            acknowledged++;
        }
    }

    /// Null when it is not in the capture.
    private PacketMessage messageAt(long position) {
        int low = 0;
        int behind = messages.size();
        while (low < behind) {
            int middle = (low + behind) >>> 1;
            if (messages.get(middle).from <= position) {
                low = middle + 1;
            } else {
                behind = middle;
            }
        }
        PacketMessage message = low == 0 ? null : messages.get(low - 1);
        return message == null || message.mayHave(position) ? message : null;
    }
}
