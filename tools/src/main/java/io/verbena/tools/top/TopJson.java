package io.verbena.tools.top;

import io.verbena.report.JsonObject;
import io.verbena.soft.status.ConnectionStatus;
import java.util.List;
import java.util.Map;

/// A snapshot as JSON.
final class TopJson {
    private TopJson() {}

    /// @param rows the connections to list; `connections` says how many there are
    static Map<String, Object> of(Snapshot snapshot, List<ConnectionRow> rows, int matching) {
        return new JsonObject()
                .with("ok", true)
                .with("error", "")
                .with("timeMs", snapshot.timeMs())
                .with(
                        "processes",
                        snapshot.processes().stream().map(TopJson::process).toList())
                .with("devices", snapshot.shards().stream().map(TopJson::shard).toList())
                .with("connectionCount", snapshot.connections().size())
                .with("matchingCount", matching)
                .with("connections", rows.stream().map(TopJson::connection).toList());
    }

    private static Map<String, Object> process(ProcessRow row) {
        return new JsonObject()
                .with("pid", row.pid())
                .with("program", row.program())
                .with("startMs", row.startMs())
                .with("cpuPercent", number(row.cpuPercent()))
                .with("devices", row.devices())
                .with("listening", row.listening())
                .with("connections", row.connections())
                .with("leftOut", row.leftOut())
                .with("sentPerSecond", number(row.sentRate()))
                .with("receivedPerSecond", number(row.receivedRate()))
                .with("problem", row.problem());
    }

    private static Map<String, Object> shard(ShardRow row) {
        return new JsonObject()
                .with("pid", row.pid())
                .with("program", row.program())
                .with("device", row.device())
                .with("state", row.state())
                .with("shard", row.shard())
                .with("connections", row.connections())
                .with("counters", row.counters())
                .with("packetsSentPerSecond", number(row.rate(ShardRow.PACKETS_OUT)))
                .with("packetsReceivedPerSecond", number(row.rate(ShardRow.PACKETS_IN)))
                .with("bytesSentPerSecond", number(row.rate(ShardRow.BYTES_OUT)))
                .with("bytesReceivedPerSecond", number(row.rate(ShardRow.BYTES_IN)))
                .with("sharedMessagesPerSecond", number(row.rate(ShardRow.SHARED)))
                .with("retransmissionsPerSecond", number(row.rate(ShardRow.RETRANSMITTED)));
    }

    private static Map<String, Object> connection(ConnectionRow row) {
        ConnectionStatus status = row.status();
        return new JsonObject()
                .with("pid", row.pid())
                .with("program", row.program())
                .with("device", row.device())
                .with("shard", status.shard())
                .with("qp", status.number())
                .with("type", status.type().toString())
                .with("state", status.state().toString())
                .with("path", status.path().text())
                .with("peer", row.peer())
                .with("peerQp", status.peerNumber())
                .with("localPort", status.localPort())
                .with("peerPort", status.peerPort())
                .with("sentPerSecond", number(row.sentRate()))
                .with("receivedPerSecond", number(row.receivedRate()))
                .with("packetsSentPerSecond", number(row.packetsOutRate()))
                .with("packetsReceivedPerSecond", number(row.packetsInRate()))
                .with("messagesSent", status.messagesSent())
                .with("messagesReceived", status.messagesReceived() < 0 ? null : status.messagesReceived())
                .with("outstanding", status.outstanding())
                .with("sendCapacity", status.sendCapacity())
                .with("postedReceives", status.postedReceives())
                .with("receiveCapacity", status.receiveCapacity())
                .with("sharesReceives", status.sharesReceives())
                .with("waitsForReceiver", status.waitsForReceiver())
                .with("retransmissions", status.retransmissions())
                .with("timeouts", status.timeouts())
                .with("rnrReceived", status.rnrReceived())
                .with("rnrSent", status.rnrSent())
                .with("lastBytes", status.lastBytes())
                .with("waitMs", row.waitNs() / 1_000_000)
                .with("slowestWaitMs", row.slowestNs() / 1_000_000)
                .with("ageMs", status.ageNs() / 1_000_000);
    }

    /// JSON has no NaN.
    private static Object number(double value) {
        return Double.isNaN(value) ? null : Math.round(value * 10) / 10.0;
    }
}
