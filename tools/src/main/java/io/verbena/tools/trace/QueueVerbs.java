package io.verbena.tools.trace;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.tools.trace.VerbTable.Rows;
import io.verbena.verbs.AsyncEvent;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.attr.SharedReceiveQueueOptions;

/// The verbs of completion queues, queue pairs and shared receive queues.
final class QueueVerbs {
    private QueueVerbs() {}

    static void addTo(Rows rows) {
        completionQueues(rows);
        queuePairs(rows);
        sharedReceiveQueues(rows);
        // TracedObject records posts request by request
        rows.before("QueuePair.post(SendRequest)", "ibv_post_send", Show.NAME)
                .before("QueuePair.post(ReceiveRequest)", "ibv_post_recv", Show.NAME)
                .before("QueuePair.postSends", "ibv_post_send", Show.NAME)
                .before("QueuePair.postReceives", "ibv_post_recv", Show.NAME)
                .before("SharedReceiveQueue.post", "ibv_post_srq_recv", Show.NAME)
                .before("SharedReceiveQueue.postReceives", "ibv_post_srq_recv", Show.NAME);
    }

    private static void completionQueues(Rows rows) {
        rows.after("Context.createCompletionChannel", "ibv_create_comp_channel", Show.made("channel"))
                .before("CompletionChannel.close", "ibv_destroy_comp_channel", Show.NAME)
                .found("CompletionChannel.await", "ibv_get_cq_event", QueueVerbs::fired)
                .found("CompletionChannel.tryTake", "ibv_get_cq_event", QueueVerbs::fired)
                .after("Context.createCompletionQueue", "ibv_create_cq", QueueVerbs::completionQueue)
                .once("CompletionQueue.arm", "ibv_req_notify_cq", QueueVerbs::arm)
                .before(
                        "CompletionQueue.resize",
                        "ibv_resize_cq",
                        (details, call) -> details.say(call.name()).add("entries", call.argument(0)))
                .before("CompletionQueue.close", "ibv_destroy_cq", Show.NAME)
                .found("AsyncEventChannel.await", "ibv_get_async_event", QueueVerbs::asyncEvent)
                .found("AsyncEventChannel.tryTake", "ibv_get_async_event", QueueVerbs::asyncEvent)
                .found(
                        "Poller.await",
                        "poll",
                        (details, call) -> details.add("ready", call.result(), call.result() + " ready"));
    }

    private static void queuePairs(Rows rows) {
        rows.after("ProtectionDomain.createQueuePair", "ibv_create_qp", (details, call) -> {
                    details.say(call.name());
                    queuePair(details, call, call.argument(0, QueuePairOptions.class));
                })
                .before("QueuePair.modify", "ibv_modify_qp", QueueVerbs::modify)
                .after(
                        "QueuePair.query",
                        "ibv_query_qp",
                        (details, call) -> details.say(call.name())
                                .gives(
                                        "state",
                                        ((QueuePairAttributes) call.result())
                                                .state()
                                                .name()))
                .before("QueuePair.attachMulticast", "ibv_attach_mcast", QueueVerbs::group)
                .before("QueuePair.detachMulticast", "ibv_detach_mcast", QueueVerbs::group)
                .before("QueuePair.close", "ibv_destroy_qp", QueueVerbs::ofQueuePair);
    }

    private static void sharedReceiveQueues(Rows rows) {
        rows.after(
                        "ProtectionDomain.createSharedReceiveQueue",
                        "ibv_create_srq",
                        (details, call) -> details.say(call.name())
                                .add(
                                        "max_wr",
                                        call.argument(0, SharedReceiveQueueOptions.class)
                                                .maxRequests())
                                .gives("srq", call.made()))
                .before(
                        "SharedReceiveQueue.limit",
                        "ibv_modify_srq",
                        (details, call) -> details.say(call.name()).add("srq_limit", call.argument(0)))
                .before(
                        "SharedReceiveQueue.resize",
                        "ibv_modify_srq",
                        (details, call) -> details.say(call.name()).add("max_wr", call.argument(0)))
                .after("SharedReceiveQueue.query", "ibv_query_srq", Show.NAME)
                .before("SharedReceiveQueue.close", "ibv_destroy_srq", Show.NAME);
    }

    private static void completionQueue(Details details, TracedCall call) {
        details.add("entries", call.argument(0), call.argument(0) + " entries");
        if (call.arguments().length > 1 && call.argument(1) != null) {
            details.say("events to " + call.name(call.argument(1)));
        }
        details.gives("cq", call.made());
    }

    private static void fired(Details details, TracedCall call) {
        details.add("cq", call.made(), call.made());
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

    private static void ofQueuePair(Details details, TracedCall call) {
        details.add("qp", call.target(QueuePair.class).number(), call.name());
    }

    /// Adds the options, and the number of the new queue pair.
    static void queuePair(Details details, TracedCall call, QueuePairOptions options) {
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

    private static void modify(Details details, TracedCall call) {
        ofQueuePair(details, call);
        change(details, call.argument(0, QueuePairChange.class));
    }

    static void change(Details details, QueuePairChange change) {
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

    private static void group(Details details, TracedCall call) {
        ofQueuePair(details, call);
        details.say("group " + DeviceVerbs.gid(call.argument(0, Gid.class)));
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
            details.addHex("immediate", Details.hex(completion.immediate()));
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
