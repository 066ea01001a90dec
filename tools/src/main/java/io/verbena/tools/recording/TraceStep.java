package io.verbena.tools.recording;

import java.util.Locale;
import java.util.Map;

/// A line of a trace: a call of a program, or a completion or event from its device.
///
/// - `index`: its place in its file
/// - `kind`: `call`, `failure`, `completion` or `event`
/// - `count`: number of equal steps in a row that it stands for
public record TraceStep(
        Side side,
        int index,
        long timeNs,
        String role,
        String kind,
        String verb,
        String text,
        Map<String, Object> details,
        int count) {
    private static final Map<String, String> OPERATIONS = Map.of(
            "RDMA_WRITE", "WRITE",
            "RDMA_WRITE_WITH_IMMEDIATE", "WRITE+immediate",
            "SEND_WITH_IMMEDIATE", "SEND+immediate",
            "SEND_WITH_INVALIDATE", "SEND+invalidate",
            "RDMA_READ", "READ",
            "RECEIVE_RDMA_WITH_IMMEDIATE", "RECEIVE immediate");

    public TraceStep times(int count) {
        return new TraceStep(side, index, timeNs, role, kind, verb, text, details, count);
    }

    public TraceStep of(Side side) {
        return side == this.side ? this : new TraceStep(side, index, timeNs, role, kind, verb, text, details, count);
    }

    public boolean isCall() {
        return kind.equals("call");
    }

    public boolean isFailure() {
        return kind.equals("failure") || kind.equals("completion") && !"SUCCESS".equals(string("status"));
    }

    public boolean isCompletion() {
        return kind.equals("completion");
    }

    public boolean isEvent(String name) {
        return kind.equals("event") && verb.equals("RDMA_CM_EVENT_" + name);
    }

    public boolean isCall(String name) {
        return isCall() && verb.equals(name);
    }

    /// A detail as text, empty when it is not there.
    public String string(String name) {
        return details.get(name) instanceof String text ? text : "";
    }

    /// A detail as a number, -1 when it is not there.
    public long number(String name) {
        return details.get(name) instanceof Number number ? number.longValue() : -1;
    }

    /// The same text for a request and its completion.
    public String request() {
        return side + " " + number("qp") + " " + number("wr_id");
    }

    public String operation() {
        return string("operation");
    }

    /// The short name of the operation: `WRITE`.
    public String shortOperation() {
        return OPERATIONS.getOrDefault(operation(), operation().replace('_', ' '));
    }

    public String bytes() {
        long count = number("bytes");
        return count < 0 ? "" : count == 1 ? "1 byte" : count + " bytes";
    }

    /// The text in the diagram.
    public String label() {
        return count == 1 ? words() : words() + " \u00d7 " + count;
    }

    private String words() {
        return switch (kind) {
            case "completion" ->
                isFailure()
                        ? "completion: " + string("status").replace('_', ' ').toLowerCase(Locale.ROOT)
                        : ("completion: " + shortOperation() + " " + bytes()).strip();
            case "failure" -> verb + " failed";
            case "event" -> verb;
            default -> (verb + "  " + more()).strip();
        };
    }

    private String more() {
        return switch (verb) {
            case "ibv_post_send" -> shortOperation() + " " + bytes();
            case "ibv_post_recv", "ibv_post_srq_recv", "ibv_reg_mr" -> bytes();
            case "ibv_modify_qp" -> string("state").isEmpty() ? "" : "to " + string("state");
            default -> "";
        };
    }
}
