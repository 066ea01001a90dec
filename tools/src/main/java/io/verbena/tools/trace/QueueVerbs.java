package io.verbena.tools.trace;

import static java.util.Map.entry;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;
import java.util.Map;

/// What is shown of the verbs of completion queues, queue pairs and shared receive queues.
final class QueueVerbs {
    static final Map<String, Show> SHOWN = Map.ofEntries(
            entry("fired", (details, call) -> details.add("cq", call.made(), call.made())),
            entry("entries", QueueVerbs::completionQueue),
            entry("arm", QueueVerbs::arm),
            entry("async", QueueVerbs::asyncEvent),
            entry("ready", (details, call) -> details.add("ready", call.result(), call.result() + " ready")),
            entry(
                    "qp",
                    (details, call) ->
                            details.add("qp", call.target(QueuePair.class).number(), call.name())),
            entry("made", QueueVerbs::queuePair),
            entry("change", (details, call) -> change(details, call.argument(0, QueuePairChange.class))),
            entry("state", QueueVerbs::state),
            entry("most", QueueVerbs::sharedReceiveQueue));

    private QueueVerbs() {}

    private static void completionQueue(Details details, TracedCall call) {
        details.add("entries", call.argument(0), call.argument(0) + " entries");
        if (call.arguments().length > 1 && call.argument(1) != null) {
            details.say("events to " + call.name(call.argument(1)));
        }
    }

    private static void arm(Details details, TracedCall call) {
        boolean solicitedOnly = call.arguments().length > 0 && (boolean) call.argument(0);
        details.add("cq", call.name(), call.name()).flag("solicited only", solicitedOnly);
    }

    private static void asyncEvent(Details details, TracedCall call) {
        var event = (AsyncEvent) call.result();
        details.add("event", event.type().name(), event.type().toString())
                .say(event.port() != 0 ? "port " + event.port() : call.name(event.source()));
    }

    private static void state(Details details, TracedCall call) {
        details.gives("state", ((QueuePairAttributes) call.result()).state().name());
    }

    private static void sharedReceiveQueue(Details details, TracedCall call) {
        details.add("max_wr", call.argument(0, SharedReceiveQueueOptions.class).maxRequests());
    }

    /// Adds the options, and the number of the new queue pair.
    private static void queuePair(Details details, TracedCall call) {
        var options = call.argument(call.arguments().length - 1, QueuePairOptions.class);
        var sizes = options.capabilities();
        QueuePair made = (QueuePair) call.result();
        String queues = made.sendCq() == made.receiveCq()
                ? call.name(made.sendCq())
                : call.name(made.sendCq()) + " and " + call.name(made.receiveCq());
        details.say(options.type().name())
                .say(queues)
                .say(options.sharedReceiveQueue() == null ? "" : call.name(options.sharedReceiveQueue()))
                .add("max_send_wr", sizes.maxSendRequests())
                .add("max_recv_wr", sizes.maxReceiveRequests())
                .add("qp", made.number(), "-> " + call.made());
    }

    private static void change(Details details, QueuePairChange change) {
        if (change.state() != null) {
            details.add("state", change.state().name(), "to " + change.state());
        }
        if (change.has(QueuePairAttribute.ACCESS) && change.accessBits() != 0) {
            details.say(Details.rights(Access.of(change.accessBits())));
        }
        if (change.has(QueuePairAttribute.ADDRESS_VECTOR)) {
            String to = DeviceVerbs.gid(change.address().destination());
            details.add("dest", to, "dest " + to);
        }
        attribute(details, change, QueuePairAttribute.DESTINATION_QP, "dest_qp", change.destinationQp());
        if (change.has(QueuePairAttribute.PATH_MTU)) {
            details.say("path_mtu " + change.pathMtu().bytes());
        }
        attribute(details, change, QueuePairAttribute.RECEIVE_PSN, "rq_psn", change.receivePsn());
        attribute(details, change, QueuePairAttribute.SEND_PSN, "sq_psn", change.sendPsn());
        attribute(details, change, QueuePairAttribute.QKEY, "qkey", change.qkey());
        count(details, change, QueuePairAttribute.TIMEOUT, "timeout", change.timeout());
        count(details, change, QueuePairAttribute.RETRY_COUNT, "retry_cnt", change.retryCount());
        count(details, change, QueuePairAttribute.RNR_RETRY, "rnr_retry", change.rnrRetry());
    }

    private static void count(
            Details details, QueuePairChange change, QueuePairAttribute attribute, String name, int value) {
        if (change.has(attribute)) {
            details.add(name, value);
        }
    }

    private static void attribute(
            Details details, QueuePairChange change, QueuePairAttribute attribute, String name, int value) {
        if (change.has(attribute)) {
            details.add(name, value, name + " " + Details.hex(value));
        }
    }

    /// Adds a completion; of a failed one only some fields are valid.
    static void completion(Details details, WorkCompletion completion) {
        details.add("qp", completion.qpNumber(), Details.queuePair(completion.qpNumber()))
                .add("wr_id", completion.wrId());
        if (!completion.isSuccess()) {
            // there are many flushed requests, and none is the cause
            boolean isFlushed = completion.status() == CompletionStatus.WORK_REQUEST_FLUSHED;
            String words = isFlushed
                    ? completion.status().toString()
                    : completion.status().explain();
            details.add("status", completion.status().name(), words);
            return;
        }
        var opcode = completion.opcode();
        details.add("operation", opcode.name(), RequestNote.name(opcode));
        if (opcode.isReceive()) {
            details.add("bytes", completion.byteLength(), Details.bytes(completion.byteLength()));
        }
        if (completion.hasImmediate()) {
            details.addHex("immediate", completion.immediate());
        }
        if (completion.hasInvalidatedKey()) {
            details.add(
                    "revoked",
                    Details.hex(completion.invalidatedKey()),
                    "revokes rkey " + Details.hex(completion.invalidatedKey()));
        }
        if (completion.hasGrh()) {
            details.add("from_qp", completion.sourceQp(), "from " + Details.queuePair(completion.sourceQp()));
        }
        details.add("status", completion.status().name(), completion.status().toString());
    }
}
