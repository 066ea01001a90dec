package io.verbena.tools.recording;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Maps the queue pairs of one side to those of the other.
public final class QueuePairs {
    /// The client's queue pair by the server's.
    private final Map<Long, Long> clients = new HashMap<>();

    private final Map<Long, Long> servers = new HashMap<>();

    private QueuePairs() {}

    public static QueuePairs of(List<TraceStep> client, List<TraceStep> server) {
        var pairs = new QueuePairs();
        pairs.byHand(client, Side.CLIENT);
        pairs.byHand(server, Side.SERVER);
        pairs.byConnection(server);
        Set<Long> ofClient = used(client);
        Set<Long> ofServer = used(server);
        if (pairs.clients.isEmpty() && ofClient.size() == 1 && ofServer.size() == 1) {
            pairs.pair(
                    Side.SERVER, ofServer.iterator().next(), ofClient.iterator().next());
        }
        return pairs;
    }

    private static Set<Long> used(List<TraceStep> steps) {
        Set<Long> numbers = new HashSet<>();
        steps.stream().filter(step -> step.number("qp") >= 0).forEach(step -> numbers.add(step.number("qp")));
        return numbers;
    }

    private void byHand(List<TraceStep> steps, Side side) {
        for (TraceStep step : steps) {
            if (step.isCall("ibv_modify_qp") && step.number("dest_qp") >= 0) {
                pair(side, step.number("qp"), step.number("dest_qp"));
            }
        }
    }

    /// The connection request has the client's queue pair, the accept call the server's.
    private void byConnection(List<TraceStep> server) {
        Map<String, Long> requests = new HashMap<>();
        for (TraceStep step : server) {
            if (step.isEvent("CONNECT_REQUEST") && step.number("peer_qp") >= 0) {
                requests.put(step.string("id"), step.number("peer_qp"));
            } else if (step.isCall("rdma_accept") && requests.containsKey(step.string("id"))) {
                pair(Side.SERVER, step.number("qp"), requests.get(step.string("id")));
            }
        }
    }

    private void pair(Side side, long own, long peer) {
        long client = side == Side.CLIENT ? own : peer;
        long server = side == Side.CLIENT ? peer : own;
        clients.put(server, client);
        servers.put(client, server);
    }

    /// The client's queue pair by the server's.
    public Map<Long, Long> clientsByServer() {
        return Collections.unmodifiableMap(clients);
    }

    /// The queue pair of the other side; -1 when it is not known.
    public int peer(Side side, int qp) {
        return (side == Side.CLIENT ? servers : clients)
                .getOrDefault((long) qp, -1L)
                .intValue();
    }

    public boolean areConnected(long clientQp, long serverQp) {
        return clients.getOrDefault(serverQp, -1L) == clientQp;
    }

    /// The same key for a SEND and for the receives that it may match. Datagrams have the receiver in each request, and
    /// the sender in each completion.
    String sendKey(TraceStep post) {
        boolean isDatagram = post.number("to_qp") >= 0;
        return isDatagram ? post.number("qp") + " to " + post.number("to_qp") : key(post);
    }

    String receiveKey(TraceStep completion) {
        boolean isDatagram = completion.number("from_qp") >= 0;
        return isDatagram ? completion.number("from_qp") + " to " + completion.number("qp") : key(completion);
    }

    private String key(TraceStep step) {
        long own = step.number("qp");
        return "connection of " + (step.side() == Side.CLIENT ? own : clients.getOrDefault(own, -own));
    }
}
