package io.verbena.tools.trace;

import io.verbena.tools.text.AddressText;
import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.Map;

/// What is shown of the verbs of the connection manager.
final class ConnectionVerbs {
    /// Longer private data is truncated.
    private static final int LONGEST_DATA = 32;

    static final Map<String, Show> SHOWN = Map.of(
            "id", (details, call) -> details.add("id", call.name(), call.name()),
            "endpoint", ConnectionVerbs::endpoint,
            "resolve", ConnectionVerbs::resolve,
            "domain", ConnectionVerbs::domain,
            "connect", ConnectionVerbs::connect,
            "reject", (details, call) -> privateData(details, (byte[]) call.argument(0)));

    private ConnectionVerbs() {}

    private static void endpoint(Details details, TracedCall call) {
        boolean isServer = call.argument(2) == null;
        details.say(isServer ? "at " + address(call.argument(1)) : "to " + address(call.argument(2)));
    }

    private static void resolve(Details details, TracedCall call) {
        details.say((call.argument(0) == null ? "" : "from " + address(call.argument(0)) + " ") + "to "
                + address(call.argument(1)));
    }

    private static void domain(Details details, TracedCall call) {
        Object domain = call.arguments().length > 1 ? call.argument(0) : null;
        details.say(call.name(domain == null ? call.target(ConnectionId.class).protectionDomain() : domain));
    }

    private static void connect(Details details, TracedCall call) {
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
            String hex = HexFormat.of().formatHex(data, 0, Math.min(length, LONGEST_DATA))
                    + (length > LONGEST_DATA ? "..." : "");
            details.add("private_data", hex, "private_data " + hex);
        }
    }

    static String address(Object address) {
        return switch ((InetSocketAddress) address) {
            case null -> "any";
            case InetSocketAddress host when host.isUnresolved() -> host.getHostString() + ":" + host.getPort();
            case InetSocketAddress host -> AddressText.of(host);
        };
    }
}
