package io.verbena.tools.sequence;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which queue pair of one side is connected with which of the other.
final class QueuePairs {
    /// The client's by the server's.
    private final Map<Long, Long> clients = new HashMap<>();

    private QueuePairs() {}

    static QueuePairs of(List<Step> client, List<Step> server) {
        var pairs = new QueuePairs();
        pairs.byHand(client, Side.CLIENT);
        pairs.byHand(server, Side.SERVER);
        pairs.byConnection(server);
        Set<Long> ofClient = used(client);
        Set<Long> ofServer = used(server);
        if (pairs.clients.isEmpty() && ofClient.size() == 1 && ofServer.size() == 1) {
            pairs.clients.put(ofServer.iterator().next(), ofClient.iterator().next());
        }
        return pairs;
    }

    private static Set<Long> used(List<Step> steps) {
        Set<Long> numbers = new HashSet<>();
        steps.stream().filter(step -> step.number("qp") >= 0).forEach(step -> numbers.add(step.number("qp")));
        return numbers;
    }

    private void byHand(List<Step> steps, Side side) {
        for (Step step : steps) {
            if (step.isCall("ibv_modify_qp") && step.number("dest_qp") >= 0) {
                pair(side, step.number("qp"), step.number("dest_qp"));
            }
        }
    }

    /// The request names the client's queue pair, and the call that accepts it the server's.
    private void byConnection(List<Step> server) {
        Map<String, Long> requests = new HashMap<>();
        for (Step step : server) {
            if (step.isEvent("CONNECT_REQUEST") && step.number("peer_qp") >= 0) {
                requests.put(step.string("id"), step.number("peer_qp"));
            } else if (step.isCall("rdma_accept") && requests.containsKey(step.string("id"))) {
                pair(Side.SERVER, step.number("qp"), requests.get(step.string("id")));
            }
        }
    }

    private void pair(Side side, long own, long peer) {
        if (side == Side.CLIENT) {
            clients.put(peer, own);
        } else {
            clients.put(own, peer);
        }
    }

    /// The same text for a SEND and for the receives that it may end in. Datagrams name the receiver in each request,
    /// and the sender in each completion.
    String sendKey(Step post) {
        boolean isDatagram = post.number("to_qp") >= 0;
        return isDatagram ? post.number("qp") + " to " + post.number("to_qp") : key(post);
    }

    String receiveKey(Step completion) {
        boolean isDatagram = completion.number("from_qp") >= 0;
        return isDatagram ? completion.number("from_qp") + " to " + completion.number("qp") : key(completion);
    }

    private String key(Step step) {
        long own = step.number("qp");
        return "connection of " + (step.side() == Side.CLIENT ? own : clients.getOrDefault(own, -own));
    }
}
