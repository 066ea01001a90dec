package io.verbena.tools.sequence;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;

/// Finds the messages between two traces. Reliable connections keep the order of messages, so the n-th SEND of a queue
/// pair is the n-th receive of its peer.
final class Matching {
    private static final Set<String> TAKES_A_RECEIVE =
            Set.of("SEND", "SEND_WITH_IMMEDIATE", "SEND_WITH_INVALIDATE", "RDMA_WRITE_WITH_IMMEDIATE");
    private static final Set<String> TO_MEMORY = Set.of("RDMA_WRITE", "ATOMIC_WRITE", "FLUSH");
    private static final Set<String> FROM_MEMORY = Set.of("RDMA_READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD");
    private static final Set<String> RECEIVES = Set.of("RECEIVE", "RECEIVE_RDMA_WITH_IMMEDIATE");

    private final List<Step> client;
    private final List<Step> server;
    private final QueuePairs queuePairs;
    private final List<Arrow> arrows = new ArrayList<>();
    /// Steps that have their cause.
    private final Set<Step> taken = Collections.newSetFromMap(new IdentityHashMap<>());

    private Matching(List<Step> client, List<Step> server) {
        this.client = client;
        this.server = server;
        queuePairs = QueuePairs.of(client, server);
    }

    /// The messages, in the order in which they were caused on each side.
    static List<Arrow> of(List<Step> client, List<Step> server) {
        var matching = new Matching(client, server);
        matching.connections();
        matching.disconnections();
        matching.messages(client, server);
        matching.messages(server, client);
        return matching.arrows;
    }

    private List<Step> steps(Side side) {
        return side == Side.CLIENT ? client : server;
    }

    private void connections() {
        for (Step connect : client) {
            if (connect.isCall("rdma_connect")) {
                Step request = first(server, "CONNECT_REQUEST", connect.number("qp"));
                add(connect, request, "REQ (connect)");
            }
        }
        for (Step accept : server) {
            if (accept.isCall("rdma_accept")) {
                Step established = first(client, "ESTABLISHED", accept.number("qp"));
                if (add(accept, established, "REP (accept)")) {
                    add(established, after(accept, "ESTABLISHED"), "RTU (ready to use)");
                }
            } else if (accept.isCall("rdma_reject")) {
                add(accept, first(client, "REJECTED", -1), "REJ (reject)");
            }
        }
    }

    /// The first event of that kind that names the peer's queue pair; any, when it names none.
    private Step first(List<Step> steps, String event, long peerQp) {
        for (Step step : steps) {
            long named = step.number("peer_qp");
            if (step.isEvent(event) && (peerQp < 0 || named < 0 || named == peerQp) && !taken.contains(step)) {
                return step;
            }
        }
        return null;
    }

    /// The next event of that kind of the same id.
    private Step after(Step call, String event) {
        List<Step> steps = steps(call.side());
        return steps.stream()
                .filter(step -> step.index() > call.index() && step.isEvent(event))
                .filter(step -> step.string("id").equals(call.string("id")))
                .findFirst()
                .orElse(null);
    }

    private void disconnections() {
        // who is first tells the other; the second call changes nothing
        List<Step> calls = new ArrayList<>(client);
        calls.addAll(server);
        calls.stream()
                .filter(step -> step.isCall("rdma_disconnect"))
                .min(Comparator.comparingLong(Step::timeNs))
                .ifPresent(call -> steps(call.side().other()).stream()
                        .filter(step -> step.isEvent("DISCONNECTED"))
                        .findFirst()
                        .ifPresent(event -> add(call, event, "DREQ (disconnect)")));
    }

    private void messages(List<Step> senders, List<Step> receivers) {
        Map<String, Queue<Step>> receives = new HashMap<>();
        for (Step step : receivers) {
            if (step.isCompletion() && RECEIVES.contains(step.operation())) {
                receives.computeIfAbsent(queuePairs.receiveKey(step), _ -> new ArrayDeque<>())
                        .add(step);
            }
        }
        for (Step post : senders) {
            if (!post.isCall("ibv_post_send")) {
                continue;
            }
            if (TAKES_A_RECEIVE.contains(post.operation())) {
                Queue<Step> waiting = receives.getOrDefault(queuePairs.sendKey(post), new ArrayDeque<>());
                add(post, waiting.poll(), text(post));
            } else if (TO_MEMORY.contains(post.operation())) {
                arrows.add(Arrow.message(post, null, text(post)));
            } else if (FROM_MEMORY.contains(post.operation())) {
                fetch(post, senders);
            }
        }
    }

    /// To the peer's memory, and back with the completion.
    private void fetch(Step post, List<Step> steps) {
        arrows.add(Arrow.message(post, null, post.shortOperation()));
        steps.subList(post.index() + 1, steps.size()).stream()
                .filter(step -> step.isCompletion() && !step.isFailure())
                .filter(step -> step.number("qp") == post.number("qp")
                        && step.number("wr_id") == post.number("wr_id")
                        && step.operation().equals(post.operation())
                        && !taken.contains(step))
                .findFirst()
                .ifPresent(done -> add(new Arrow(post, done, "data, " + post.bytes(), true)));
    }

    private static String text(Step post) {
        return (post.shortOperation() + " " + post.bytes()).strip();
    }

    private boolean add(Step from, Step to, String label) {
        if (to == null) {
            return false;
        }
        add(Arrow.message(from, to, label));
        return true;
    }

    private void add(Arrow arrow) {
        arrows.add(arrow);
        taken.add(arrow.to());
    }
}
