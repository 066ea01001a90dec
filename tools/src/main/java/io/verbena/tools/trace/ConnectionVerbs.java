package io.verbena.tools.trace;

import io.verbena.tools.text.AddressText;
import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.tools.trace.VerbTable.Rows;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.function.Function;

/// The verbs of the connection manager.
final class ConnectionVerbs {
    /// Longer private data is truncated.
    private static final int SHOWN = 32;

    private ConnectionVerbs() {}

    static void addTo(Rows rows) {
        rows.after("ConnectionManager.createEventChannel", "rdma_create_event_channel", Show.made("channel"))
                .after(
                        "ConnectionManager.createId",
                        "rdma_create_id",
                        (details, call) -> details.say(portSpace(call.argument(1)))
                                .say("events to " + call.name(call.argument(0)))
                                .gives("id", call.made()))
                .after(
                        "ConnectionManager.createSynchronousId",
                        "rdma_create_id",
                        (details, call) -> details.say(portSpace(call.argument(0)))
                                .say("synchronous")
                                .gives("id", call.made()))
                .before(
                        "ConnectionManager.createEndpoint",
                        "rdma_create_ep",
                        (details, call) -> details.say(portSpace(call.argument(0)))
                                .say(
                                        call.argument(2) == null
                                                ? "at " + address(call.argument(1))
                                                : "to " + address(call.argument(2))))
                .before("EventChannel.close", "rdma_destroy_event_channel", Show.NAME);
        ids(rows);
        connecting(rows);
    }

    private static void ids(Rows rows) {
        rows.before("ConnectionId.option", "rdma_set_option", withId(call -> call.text(0) + " " + call.text(1)))
                .before("ConnectionId.bind", "rdma_bind_addr", withId(call -> address(call.argument(0))))
                .before(
                        "ConnectionId.resolveAddress",
                        "rdma_resolve_addr",
                        (details, call) -> of(details, call)
                                .say((call.argument(0) == null ? "" : "from " + address(call.argument(0)) + " ") + "to "
                                        + address(call.argument(1))))
                .before("ConnectionId.resolveRoute", "rdma_resolve_route", ConnectionVerbs::of)
                .after("ConnectionId.createQueuePair", "rdma_create_qp", (details, call) -> {
                    Object domain = call.arguments().length > 1 ? call.argument(0) : null;
                    of(details, call)
                            .say(call.name(
                                    domain == null
                                            ? call.target(ConnectionId.class).protectionDomain()
                                            : domain));
                    QueueVerbs.queuePair(
                            details, call, call.argument(call.arguments().length - 1, QueuePairOptions.class));
                })
                .before("ConnectionId.migrate", "rdma_migrate_id", withId(call -> "to " + call.name(call.argument(0))))
                .after("ConnectionId.queuePairStep", "rdma_init_qp_attr", withId(call -> "for " + call.text(0)))
                .before("ConnectionId.joinMulticast", "rdma_join_multicast", withId(call -> address(call.argument(0))))
                .before(
                        "ConnectionId.leaveMulticast",
                        "rdma_leave_multicast",
                        withId(call -> address(call.argument(0))))
                .before("ConnectionId.close", "rdma_destroy_id", ConnectionVerbs::of);
    }

    private static void connecting(Rows rows) {
        rows.before(
                        "ConnectionId.listen",
                        "rdma_listen",
                        (details, call) -> of(details, call).add("backlog", call.argument(0)))
                .before("ConnectionId.connect", "rdma_connect", ConnectionVerbs::connect)
                .before("ConnectionId.accept", "rdma_accept", ConnectionVerbs::connect)
                .before(
                        "ConnectionId.reject",
                        "rdma_reject",
                        (details, call) -> privateData(of(details, call), (byte[]) call.argument(0)))
                .before("ConnectionId.disconnect", "rdma_disconnect", ConnectionVerbs::of)
                .before("ConnectionId.establish", "rdma_establish", ConnectionVerbs::of)
                .before("ConnectionId.notifyEstablished", "rdma_notify", ConnectionVerbs::of);
    }

    private static Show withId(Function<TracedCall, String> words) {
        return (details, call) -> of(details, call).say(words.apply(call));
    }

    private static Details of(Details details, TracedCall call) {
        return details.add("id", call.name(), call.name());
    }

    private static void connect(Details details, TracedCall call) {
        of(details, call);
        var parameters = call.argument(0, ConnectionParameters.class);
        QueuePair qp = call.target(ConnectionId.class).queuePair();
        int number = qp != null ? qp.number() : parameters == null ? 0 : parameters.qpNumber();
        if (number != 0) {
            details.add("qp", number, Details.queuePair(number));
        }
        if (parameters != null) {
            privateData(details, parameters.privateData());
        }
    }

    static void event(Details details, CmEvent event, Wrappers names) {
        String id = names.name(event.id());
        details.add("id", id, id);
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            InetSocketAddress peer = event.id().peerAddress();
            details.add("peer", address(peer), "from " + address(peer));
        }
        if (event.parameters().qpNumber() != 0) {
            details.add(
                    "peer_qp",
                    event.parameters().qpNumber(),
                    "peer's " + Details.queuePair(event.parameters().qpNumber()));
        }
        if (event.datagram() != null) {
            details.add(
                    "peer_qp",
                    event.datagram().qpNumber(),
                    "peer's " + Details.queuePair(event.datagram().qpNumber()));
        }
        privateData(details, event.privateData());
        if (event.status() != 0) {
            details.add("status", event.status());
        }
        details.say(event.explanation());
    }

    /// Without its trailing zeros, since private data is padded with zeros.
    private static void privateData(Details details, byte[] data) {
        int length = data == null ? 0 : data.length;
        while (length > 0 && data[length - 1] == 0) {
            length--;
        }
        if (length > 0) {
            String hex = HexFormat.of().formatHex(data, 0, Math.min(length, SHOWN)) + (length > SHOWN ? "..." : "");
            details.add("private_data", hex, "private_data " + hex);
        }
    }

    private static String portSpace(Object space) {
        return "RDMA_PS_" + ((PortSpace) space).name();
    }

    private static String address(Object address) {
        return switch ((InetSocketAddress) address) {
            case null -> "any";
            case InetSocketAddress host when host.isUnresolved() -> host.getHostString() + ":" + host.getPort();
            case InetSocketAddress host -> AddressText.of(host);
        };
    }
}
