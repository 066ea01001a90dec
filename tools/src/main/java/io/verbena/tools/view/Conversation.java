package io.verbena.tools.view;

import io.verbena.tools.recording.Arrow;
import io.verbena.tools.recording.MessageMatcher;
import io.verbena.tools.recording.QueuePairs;
import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceStep;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// All files together: one order of events, requests that can be followed through them, and lanes.
final class Conversation {
    /// A number that `ibv_modify_qp` sets.
    private record Attribute(Side side, int qp, String name) {}

    private final List<Source> sources;
    private final Map<Side, Source> traces = new EnumMap<>(Side.class);
    private final Map<Side, Requests> requests = new EnumMap<>(Side.class);
    private final List<PacketStreams> captures = new ArrayList<>();
    private final List<RequestFlow> flows = new ArrayList<>();
    private final List<Region> regions = new ArrayList<>();
    private final List<ViewEvent> events = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<Attribute, Integer> firstPsns = new HashMap<>();
    private final ClockAlignment clocks;
    private QueuePairs queuePairs;
    private List<Lane> lanes = List.of();

    private Conversation(List<Source> sources) {
        this.sources = sources;
        clocks = new ClockAlignment(sources.size());
    }

    static Conversation of(List<Source> sources) {
        var conversation = new Conversation(sources);
        conversation.readTraces();
        conversation.readCaptures();
        conversation.readRecordings();
        conversation.align();
        conversation.order();
        return conversation;
    }

    List<ViewEvent> events() {
        return events;
    }

    List<Lane> lanes() {
        return lanes;
    }

    List<Region> regions() {
        return regions;
    }

    List<RequestFlow> flows() {
        return flows;
    }

    List<Source> sources() {
        return sources;
    }

    /// Null when there is no trace of that side.
    Source trace(Side side) {
        return traces.get(side);
    }

    Requests requests(Side side) {
        return requests.get(side);
    }

    /// The last events of traces that end while their program is connected.
    List<ViewEvent> openEnds() {
        return requests.entrySet().stream()
                .filter(each -> each.getValue().endsConnected())
                .map(each -> traces.get(each.getKey()).events().getLast())
                .toList();
    }

    List<PacketStreams> captures() {
        return captures;
    }

    /// What could not be matched, and what was done to clocks.
    List<String> notes() {
        return Stream.concat(notes.stream(), clocks.notes().stream()).toList();
    }

    /// What the program of a side calls itself.
    String name(Side side) {
        Source trace = traces.get(side);
        return trace == null || trace.events().isEmpty()
                ? side.name().toLowerCase(Locale.ROOT)
                : trace.events().getFirst().sideName();
    }

    /// Pairs of queue pairs that are connected; the client's first where that is known.
    Set<List<Integer>> connections() {
        Set<List<Integer>> pairs = new LinkedHashSet<>();
        queuePairs
                .clientsByServer()
                .forEach((server, client) -> pairs.add(List.of(client.intValue(), server.intValue())));
        for (ViewEvent event : events) {
            if (event.isPacket() && event.qp >= 0 && !event.packet.isDatagram()) {
                int peer = event.packet.destinationQp();
                if (!pairs.contains(List.of(peer, event.qp))) {
                    pairs.add(List.of(event.qp, peer));
                }
            }
        }
        return pairs;
    }

    /// Whether both are of one queue pair, or of two that are connected.
    boolean isSameConnection(ViewEvent a, ViewEvent b) {
        if (a.side == b.side) {
            return a.qp == b.qp;
        }
        return a.side == Side.CLIENT ? queuePairs.areConnected(a.qp, b.qp) : queuePairs.areConnected(b.qp, a.qp);
    }

    /// Whether a packet was sent by the peer of a queue pair, also when the peer has no trace here. Numbers that both
    /// sides have do not tell.
    boolean isFromPeer(ViewEvent packet, ViewEvent event) {
        int peer = queuePairs.peer(event.side, event.qp);
        return packet.qp == peer && peer != event.qp && packet.packet.destinationQp() == event.qp;
    }

    /// Since the first event, for sentences.
    String time(ViewEvent event) {
        return "%.3f ms".formatted((event.timeNs - events.getFirst().timeNs) / 1e6);
    }

    /// For facts: `SEND, wr_id 1, 64 bytes, client QP 0x11 to server QP 0x12`.
    String requestWords(ViewEvent event) {
        ViewEvent post = event.flow == null || event.flow.post == null ? event : event.flow.post;
        String bytes = post.step.bytes();
        int peer = queuePairs.peer(post.side, post.qp);
        return "%s, wr_id %d%s, %s %s%s"
                .formatted(
                        post.operation.replace('_', ' '),
                        post.wrId(),
                        bytes.isEmpty() ? "" : ", " + bytes,
                        post.sideName(),
                        ViewEvent.queuePair(post.qp),
                        peer < 0 ? "" : " to " + name(post.side.other()) + " " + ViewEvent.queuePair(peer));
    }

    private void readTraces() {
        for (Source source : sources) {
            if (source.isTrace()) {
                traces.put(source.side(), source);
                requests.put(source.side(), Requests.of(source.events(), flows));
                regions.addAll(Region.of(source.events()));
                for (ViewEvent event : source.events()) {
                    noteFirstPsn(event, "sq_psn");
                    noteFirstPsn(event, "rq_psn");
                }
            }
        }
        queuePairs = QueuePairs.of(steps(Side.CLIENT), steps(Side.SERVER));
        for (Arrow arrow : MessageMatcher.of(steps(Side.CLIENT), steps(Side.SERVER))) {
            ViewEvent from = event(arrow.from());
            ViewEvent to = arrow.to() == null ? null : event(arrow.to());
            clocks.follows(from, to);
            if (from.flow != null && to != null && to.isReceiveCompletion()) {
                receive(from.flow, to);
            }
        }
    }

    private void receive(RequestFlow flow, ViewEvent received) {
        flow.received = received;
        flow.add(received);
        ViewEvent post = requests.get(received.side).postOf(received);
        if (post != null) {
            flow.add(post);
        }
    }

    private List<TraceStep> steps(Side side) {
        Source trace = traces.get(side);
        return trace == null
                ? List.of()
                : trace.events().stream().map(event -> event.step).toList();
    }

    private ViewEvent event(TraceStep step) {
        return traces.get(step.side()).events().get(step.index());
    }

    private void readCaptures() {
        List<Source> read = sources.stream().filter(Source::isCapture).toList();
        read.forEach(source -> PacketPairs.fillIn(source.events()));
        QueuePairSides sides = QueuePairSides.of(traces, read);
        notes.addAll(sides.notes());
        Map<Integer, List<RequestFlow>> posted = new HashMap<>();
        for (RequestFlow flow : flows) {
            if (isOnWire(flow.post) && sides.of(flow.post.qp) != null) {
                posted.computeIfAbsent(flow.post.qp, _ -> new ArrayList<>()).add(flow);
            }
        }
        for (Source source : read) {
            source.events().forEach(event -> event.side = sides.of(event.qp));
            PacketStreams streams = PacketStreams.of(source.events());
            captures.add(streams);
            streams.all().forEach((key, stream) -> link(key, stream, posted, sides));
        }
        tellOfUnknownWire(read);
    }

    private void tellOfUnknownWire(List<Source> captured) {
        if (traces.isEmpty()) {
            return;
        }
        List<ViewEvent> packets =
                captured.stream().flatMap(source -> source.events().stream()).toList();
        if (packets.isEmpty()) {
            notes.add("What was sent on the wire is not known, because nothing was captured. To capture, add"
                    + " -Dverbena.soft.capture=FILE.pcap and -Dverbena.soft.path=udp (no packets are sent through shared"
                    + " memory), or use tcpdump.");
        } else if (notes.isEmpty() && packets.stream().allMatch(packet -> packet.side == null)) {
            notes.add("No packet of the capture is of a queue pair of the traces: it was made elsewhere or at another"
                    + " time, or the data went through shared memory.");
        }
    }

    private void link(
            PacketStreams.Key key, PacketStream stream, Map<Integer, List<RequestFlow>> posted, QueuePairSides sides) {
        int qp = stream.sender();
        Side sender = sides.of(qp);
        Side receiver = sides.of(key.destinationQp());
        int start = firstPsn(sender, qp, "sq_psn");
        stream.finish(start >= 0 ? start : firstPsn(receiver, key.destinationQp(), "rq_psn"));
        if (stream.isEmpty()) {
            return;
        }
        if (posted.containsKey(qp)) {
            if (isFromTheStart(key, stream)) {
                linkPosts(posted.get(qp), stream);
            }
        } else {
            linkReceives(key, stream, receiver);
        }
        for (PacketMessage message : stream.messages) {
            if (message.flow.id < 0) {
                var flow = new RequestFlow(flows.size());
                move(message, flow);
                flows.add(flow);
            }
        }
    }

    /// The first sequence number, as the trace names it; -1: it does not.
    private int firstPsn(Side side, int qp, String attribute) {
        return side == null ? -1 : firstPsns.getOrDefault(new Attribute(side, qp, attribute), -1);
    }

    private void noteFirstPsn(ViewEvent event, String attribute) {
        int psn = (int) event.step.number(attribute);
        if (psn >= 0 && event.isCall("ibv_modify_qp")) {
            firstPsns.putIfAbsent(new Attribute(event.side, event.qp, attribute), psn);
        }
    }

    private boolean isFromTheStart(PacketStreams.Key key, PacketStream stream) {
        boolean isFromTheStart = stream.isFromTheStart();
        if (!isFromTheStart) {
            notes.add("What %s sent to %s of %s is not matched with the trace: its beginning is not in the capture."
                    .formatted(key.from(), ViewEvent.queuePair(key.destinationQp()), key.to()));
        }
        return isFromTheStart;
    }

    private static boolean isOnWire(ViewEvent post) {
        return !post.operation.equals("LOCAL_INVALIDATE") && !post.operation.equals("BIND_MEMORY_WINDOW");
    }

    /// Requests are sent in the order in which they were posted. A long READ may take several messages.
    private static void linkPosts(List<RequestFlow> posted, PacketStream stream) {
        int next = 0;
        long read = 0;
        for (PacketMessage message : stream.messages) {
            if (next == posted.size() || !message.first.operation.startsWith(beginning(posted.get(next).post))) {
                return; // the capture is of something else
            }
            RequestFlow flow = posted.get(next);
            move(message, flow);
            read += Math.max(0, message.first.packet.requestBytes());
            boolean isPartOfRead = message.first.packet.isReadRequest() && read < flow.post.step.number("bytes");
            if (!isPartOfRead) {
                next++;
                read = 0;
            }
        }
    }

    /// The first packet of a long message does not show whether immediate data comes with the last one.
    private static String beginning(ViewEvent post) {
        return post.operation.replaceFirst("_WITH_.*", "");
    }

    /// The sender has no trace: the receiver's completions show which messages came.
    private void linkReceives(PacketStreams.Key key, PacketStream stream, Side side) {
        List<ViewEvent> received = side == null
                ? List.of()
                : traces.get(side).events().stream()
                        .filter(event ->
                                event.qp == key.destinationQp() && event.isReceiveCompletion() && event.flow == null)
                        .toList();
        if (received.isEmpty() || !isFromTheStart(key, stream)) {
            return;
        }
        int next = 0;
        for (PacketMessage message : stream.messages) {
            if (message.takesReceive() && next < received.size()) {
                var flow = new RequestFlow(flows.size());
                flows.add(flow);
                move(message, flow);
                receive(flow, received.get(next++));
            }
        }
    }

    private static void move(PacketMessage message, RequestFlow flow) {
        for (ViewEvent event : message.flow.events) {
            event.flow = null;
            flow.add(event);
        }
        message.flow = flow;
        flow.acknowledged = message.acknowledged;
    }

    private void readRecordings() {
        for (Source source : sources) {
            if (source.isRecording()) {
                RecordedSides.assign(source, traces);
                RecordedSides.link(source, traces, clocks);
            }
        }
    }

    private void align() {
        for (RequestFlow flow : flows) {
            clocks.follows(flow.acknowledged, flow.completion);
            for (ViewEvent event : flow.events) {
                if (event.kind == EventKind.PACKET && event.packet.isRequest()) {
                    clocks.follows(flow.post, event);
                    if (event.level == Level.PLAIN) {
                        clocks.follows(event, flow.received);
                    }
                }
            }
        }
        long[] offsets = clocks.offsets(sources.stream().map(Source::name).toList());
        for (Source source : sources) {
            source.events().forEach(event -> event.timeNs += offsets[event.source]);
        }
    }

    private void order() {
        sources.forEach(source -> events.addAll(source.events()));
        events.sort(Comparator.comparingLong(event -> event.timeNs));
        for (int i = 0; i < events.size(); i++) {
            events.get(i).index = i;
        }
        flows.forEach(flow -> flow.events.sort(Comparator.comparingInt(event -> event.index)));
        lanes = Lane.assign(events, sources, this::name);
    }
}
