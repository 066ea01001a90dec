package io.verbena.tools.recording;

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

/// Matches the messages of two traces. Reliable connections keep the order of messages, so the n-th SEND of a queue
/// pair matches the n-th receive of its peer.
public final class MessageMatcher {
    private static final Set<String> TAKES_A_RECEIVE =
            Set.of("SEND", "SEND_WITH_IMMEDIATE", "SEND_WITH_INVALIDATE", "RDMA_WRITE_WITH_IMMEDIATE");
    private static final Set<String> TO_MEMORY = Set.of("RDMA_WRITE", "ATOMIC_WRITE", "FLUSH");
    private static final Set<String> FROM_MEMORY = Set.of("RDMA_READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD");
    private static final Set<String> RECEIVES = Set.of("RECEIVE", "RECEIVE_RDMA_WITH_IMMEDIATE");

    private final List<TraceStep> client;
    private final List<TraceStep> server;
    private final QueuePairs queuePairs;
    private final List<Arrow> arrows = new ArrayList<>();
    /// Steps whose cause is known.
    private final Set<TraceStep> taken = Collections.newSetFromMap(new IdentityHashMap<>());

    private MessageMatcher(List<TraceStep> client, List<TraceStep> server) {
        this.client = client;
        this.server = server;
        queuePairs = QueuePairs.of(client, server);
    }

    /// The messages, in the order in which they were caused on each side.
    public static List<Arrow> of(List<TraceStep> client, List<TraceStep> server) {
        var matching = new MessageMatcher(client, server);
        matching.connections();
        matching.disconnections();
        matching.messages(client, server);
        matching.messages(server, client);
        return matching.arrows;
    }

    private List<TraceStep> steps(Side side) {
        return side == Side.CLIENT ? client : server;
    }

    private void connections() {
        List<TraceStep> clientEvents = events(client);
        List<TraceStep> serverEvents = events(server);
        for (TraceStep connect : client) {
            if (connect.isCall("rdma_connect")) {
                TraceStep request = first(serverEvents, "CONNECT_REQUEST", connect.number("qp"));
                add(connect, request, "REQ (connect)");
            }
        }
        for (TraceStep accept : server) {
            if (accept.isCall("rdma_accept")) {
                TraceStep established = first(clientEvents, "ESTABLISHED", accept.number("qp"));
                if (add(accept, established, "REP (accept)")) {
                    add(established, after(accept, "ESTABLISHED"), "RTU (ready to use)");
                }
            } else if (accept.isCall("rdma_reject")) {
                add(accept, first(clientEvents, "REJECTED", -1), "REJ (reject)");
            }
        }
    }

    private static List<TraceStep> events(List<TraceStep> steps) {
        return steps.stream().filter(step -> step.kind().equals("event")).toList();
    }

    /// The first event of that kind with the peer's queue pair; any when it has none.
    private TraceStep first(List<TraceStep> steps, String event, long peerQp) {
        for (TraceStep step : steps) {
            long named = step.number("peer_qp");
            if (step.isEvent(event) && (peerQp < 0 || named < 0 || named == peerQp) && !taken.contains(step)) {
                return step;
            }
        }
        return null;
    }

    /// The next event of that kind of the same id.
    private TraceStep after(TraceStep call, String event) {
        List<TraceStep> steps = steps(call.side());
        return steps.stream()
                .filter(step -> step.index() > call.index() && step.isEvent(event))
                .filter(step -> step.string("id").equals(call.string("id")))
                .findFirst()
                .orElse(null);
    }

    private void disconnections() {
        // the first call disconnects both sides; the second changes nothing
        List<TraceStep> calls = new ArrayList<>(client);
        calls.addAll(server);
        calls.stream()
                .filter(step -> step.isCall("rdma_disconnect"))
                .min(Comparator.comparingLong(TraceStep::timeNs))
                .ifPresent(call -> steps(call.side().other()).stream()
                        .filter(step -> step.isEvent("DISCONNECTED"))
                        .findFirst()
                        .ifPresent(event -> add(call, event, "DREQ (disconnect)")));
    }

    private void messages(List<TraceStep> senders, List<TraceStep> receivers) {
        Map<String, Queue<TraceStep>> receives = new HashMap<>();
        for (TraceStep step : receivers) {
            if (step.isCompletion() && RECEIVES.contains(step.operation())) {
                receives.computeIfAbsent(queuePairs.receiveKey(step), _ -> new ArrayDeque<>())
                        .add(step);
            }
        }
        Map<String, Queue<TraceStep>> completions = fetched(senders);
        for (TraceStep post : senders) {
            if (!post.isCall("ibv_post_send")) {
                continue;
            }
            if (TAKES_A_RECEIVE.contains(post.operation())) {
                Queue<TraceStep> waiting = receives.getOrDefault(queuePairs.sendKey(post), new ArrayDeque<>());
                add(post, waiting.poll(), text(post));
            } else if (TO_MEMORY.contains(post.operation())) {
                arrows.add(Arrow.message(post, null, text(post)));
            } else if (FROM_MEMORY.contains(post.operation())) {
                fetch(post, completions);
            }
        }
    }

    /// An arrow to the peer's memory, and one back to the completion.
    private void fetch(TraceStep post, Map<String, Queue<TraceStep>> completions) {
        arrows.add(Arrow.message(post, null, post.shortOperation()));
        Queue<TraceStep> waiting = completions.getOrDefault(fetchKey(post), new ArrayDeque<>());
        while (!waiting.isEmpty() && waiting.peek().index() < post.index()) {
            waiting.remove();
        }
        TraceStep done = waiting.poll();
        if (done != null) {
            add(new Arrow(post, done, "data, " + post.bytes(), true));
        }
    }

    private static Map<String, Queue<TraceStep>> fetched(List<TraceStep> steps) {
        Map<String, Queue<TraceStep>> completions = new HashMap<>();
        for (TraceStep step : steps) {
            if (step.isCompletion() && !step.isFailure() && FROM_MEMORY.contains(step.operation())) {
                completions
                        .computeIfAbsent(fetchKey(step), _ -> new ArrayDeque<>())
                        .add(step);
            }
        }
        return completions;
    }

    private static String fetchKey(TraceStep step) {
        return step.request() + " " + step.operation();
    }

    private static String text(TraceStep post) {
        return (post.shortOperation() + " " + post.bytes()).strip();
    }

    private boolean add(TraceStep from, TraceStep to, String label) {
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
