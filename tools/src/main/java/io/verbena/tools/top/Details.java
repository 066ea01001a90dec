package io.verbena.tools.top;

import io.verbena.soft.status.ConnectionStatus;
import java.util.LinkedHashMap;
import java.util.Map;

/// All that is known of one connection, for people.
final class Details {
    private Details() {}

    static Map<String, String> of(ConnectionRow row) {
        ConnectionStatus status = row.status();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("process", row.pid() + "  " + row.program());
        all.put("device", row.device() + ", shard " + status.shard());
        all.put("queue pair", row.number() + ", " + status.type() + ", " + status.state());
        all.put("peer", row.peer().isEmpty() ? "none" : row.peer() + ", QP " + ConnectionRow.hex(status.peerNumber()));
        all.put(
                "port here",
                status.localPort() == 0 ? "none: connected by hand" : Integer.toString(status.localPort()));
        all.put("path", status.path().text().isEmpty() ? "none" : status.path().text());
        all.put("connected for", Quantity.time(status.ageNs()));
        all.put("sent", "%d messages, %s per second".formatted(status.messagesSent(), Quantity.count(row.sentRate())));
        all.put(
                "received",
                status.messagesReceived() < 0
                        ? "not counted: receives are shared"
                        : "%d messages, %s per second"
                                .formatted(status.messagesReceived(), Quantity.count(row.receivedRate())));
        all.put(
                "packets per second",
                "%s out, %s in".formatted(Quantity.count(row.packetsOutRate()), Quantity.count(row.packetsInRate())));
        all.put("last request", status.lastBytes() + " bytes");
        all.put("outstanding", status.outstanding() + " of " + status.sendCapacity() + " requests");
        all.put(
                "posted receives",
                status.postedReceives() + " of " + status.receiveCapacity()
                        + (status.sharesReceives() ? ", shared with others" : ""));
        all.put("oldest request waits", Quantity.time(row.waitNs()));
        all.put("slowest wait seen", Quantity.time(row.slowestNs()));
        all.put("packets sent again", Long.toString(status.retransmissions()));
        all.put("timeouts", Long.toString(status.timeouts()));
        all.put("RNR", status.rnrReceived() + " from the peer, " + status.rnrSent() + " to the peer");
        return all;
    }
}
