package io.verbena.tools.view;

import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceStep;
import java.util.Locale;
import java.util.Map;

/// One thing that happened: a line of a trace, a packet of a capture, or an event of a recording. What is found out
/// about it later is filled in by [Conversation].
final class ViewEvent {
    private static final Map<String, EventKind> KINDS = Map.of(
            "call", EventKind.CALL,
            "failure", EventKind.FAILURE,
            "completion", EventKind.COMPLETION,
            "event", EventKind.EVENT);

    /// The file that it is from.
    final int source;

    final EventKind kind;

    /// Null for all but lines of a trace.
    final TraceStep step;

    /// Null for all but packets.
    final CapturedPacket packet;

    /// Null for all but events of a recording.
    final RecordedStep recorded;

    long timeNs;
    String name;
    String text;
    String status = "";
    String operation = "";
    String note = "";
    Level level = Level.PLAIN;
    /// The side whose trace has it, or whose queue pair sent the packet; null when that is unknown.
    Side side;
    /// Of a packet: the queue pair that sent it. -1: none, or unknown.
    int qp = -1;

    /// The request that it belongs to; null for none.
    RequestFlow flow;
    /// The queue pair behind this event: its state, posted receives and outstanding send requests; -1: unknown.
    String state = "";

    int receives = -1;
    int outstanding = -1;
    int lane;
    int index;

    private ViewEvent(
            int source, EventKind kind, long timeNs, TraceStep step, CapturedPacket packet, RecordedStep recorded) {
        this.source = source;
        this.kind = kind;
        this.timeNs = timeNs;
        this.step = step;
        this.packet = packet;
        this.recorded = recorded;
    }

    static ViewEvent of(int source, TraceStep step) {
        EventKind kind = KINDS.getOrDefault(step.kind(), EventKind.EVENT);
        var event = new ViewEvent(source, kind, step.timeNs(), step, null, null);
        event.side = step.side();
        event.name = step.verb();
        event.text = step.text();
        event.qp = (int) step.number("qp");
        event.operation = step.operation();
        event.status = step.isCompletion() ? step.string("status") : "";
        return event;
    }

    static ViewEvent of(int source, CapturedPacket packet) {
        EventKind kind = packet.isAcknowledge() ? EventKind.ACKNOWLEDGE : EventKind.PACKET;
        var event = new ViewEvent(source, kind, packet.timeNs(), null, packet, null);
        event.name = packet.name();
        event.text = packet.text();
        event.operation = packet.operation();
        event.status = packet.isNak() ? packet.answer() : "";
        event.qp = packet.sourceQp();
        return event;
    }

    static ViewEvent of(int source, RecordedStep recorded) {
        var event = new ViewEvent(source, EventKind.RECORDED, recorded.timeNs(), null, null, recorded);
        event.name = recorded.name();
        event.text = recorded.text();
        event.operation = recorded.operation();
        event.status = recorded.status();
        event.qp = recorded.queuePair();
        return event;
    }

    boolean isRecorded() {
        return recorded != null;
    }

    boolean isPacket() {
        return packet != null;
    }

    boolean isCall(String verb) {
        return step != null && step.isCall(verb);
    }

    boolean isPostSend() {
        return isCall("ibv_post_send");
    }

    boolean isPostReceive() {
        return isCall("ibv_post_recv") || isCall("ibv_post_srq_recv");
    }

    boolean isCompletion() {
        return kind == EventKind.COMPLETION;
    }

    boolean isReceiveCompletion() {
        return isCompletion() && operation.startsWith("RECEIVE");
    }

    boolean isSignaled() {
        return step != null && Boolean.TRUE.equals(step.details().get("signaled"));
    }

    long wrId() {
        return isRecorded() ? recorded.requestId() : step == null ? -1 : step.number("wr_id");
    }

    boolean hasWrId() {
        return isRecorded()
                ? recorded.hasRequestId()
                : step != null && step.details().get("wr_id") instanceof Number;
    }

    /// Raises the level and adds a sentence.
    void mark(Level at, String sentence) {
        level = at.compareTo(level) > 0 ? at : level;
        note = note.isEmpty() ? sentence : note + " " + sentence;
    }

    /// For sentences: `SEND on QP 0x11, wr_id 3`.
    String words() {
        StringBuilder words = new StringBuilder(operation.isEmpty() ? name : operation.replace('_', ' '));
        if (qp >= 0) {
            words.append(" on ").append(queuePair(qp));
        }
        if (side != null) {
            words.append(" of the ").append(sideName());
        }
        if (hasWrId()) {
            words.append(", wr_id ").append(wrId());
        }
        return words.toString();
    }

    String sideName() {
        String role = step == null ? "" : step.role();
        return !role.isEmpty() ? role : side == null ? "" : side.name().toLowerCase(Locale.ROOT);
    }

    static String queuePair(int number) {
        return "QP 0x" + Integer.toHexString(number);
    }
}
