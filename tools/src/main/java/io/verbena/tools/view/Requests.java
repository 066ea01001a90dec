package io.verbena.tools.view;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The requests of one trace: which completion belongs to which post. On the way it notes, behind each event, how many
/// requests of its queue pair are outstanding, how many receives are posted, and the state of the queue pair.
final class Requests {
    private static final class QueuePairNow {
        final Deque<ViewEvent> sends = new ArrayDeque<>();
        final Deque<ViewEvent> receives = new ArrayDeque<>();
        String state = "";
    }

    private final List<RequestFlow> flows;
    private final Map<Integer, QueuePairNow> queuePairs = new HashMap<>();
    private final Map<String, Integer> queuePairOfId = new HashMap<>();
    private final Deque<ViewEvent> shared = new ArrayDeque<>();
    /// The post of each receive that was completed.
    private final Map<ViewEvent, ViewEvent> postOfReceive = new HashMap<>();

    private Requests(List<RequestFlow> flows) {
        this.flows = flows;
    }

    /// @param events of one trace, in its order
    /// @param flows takes one for each send request
    static Requests of(List<ViewEvent> events, List<RequestFlow> flows) {
        var requests = new Requests(flows);
        events.forEach(requests::add);
        return requests;
    }

    /// The post of a receive; null when it is not in the trace.
    ViewEvent postOf(ViewEvent receiveCompletion) {
        return postOfReceive.get(receiveCompletion);
    }

    /// Send requests without a completion at the end of the trace, of which one was due.
    List<ViewEvent> unfinished() {
        List<ViewEvent> posts = new ArrayList<>();
        queuePairs
                .values()
                .forEach(now -> now.sends.stream().filter(ViewEvent::isSignaled).forEach(posts::add));
        return posts;
    }

    /// Whether a queue pair was left connected.
    boolean endsConnected() {
        return queuePairs.values().stream().anyMatch(now -> now.state.equals("RTS"));
    }

    private QueuePairNow now(int qp) {
        return queuePairs.computeIfAbsent(qp, _ -> new QueuePairNow());
    }

    private void add(ViewEvent event) {
        String id = event.step.string("id");
        if (event.qp >= 0 && !id.isEmpty()) {
            queuePairOfId.put(id, event.qp);
        }
        if (event.qp < 0 && queuePairOfId.containsKey(id)) {
            event.qp = queuePairOfId.get(id);
        }
        if (event.isCall("ibv_close_device")) {
            queuePairs.values().forEach(now -> now.state = "destroyed");
        }
        if (event.qp < 0) {
            if (event.isCall("ibv_post_srq_recv")) {
                shared.add(event);
            }
            return;
        }
        QueuePairNow now = now(event.qp);
        if (event.isPostSend()) {
            var flow = new RequestFlow(flows.size());
            flow.post = event;
            flow.add(event);
            flows.add(flow);
            now.sends.add(event);
        } else if (event.isPostReceive()) {
            now.receives.add(event);
        } else if (event.isCompletion()) {
            complete(event, now);
        }
        now.state = stateAfter(event, now.state);
        event.state = now.state;
        event.receives = now.receives.size();
        event.outstanding = now.sends.size();
    }

    private void complete(ViewEvent event, QueuePairNow now) {
        ViewEvent send = event.isReceiveCompletion() ? null : find(now.sends, event.wrId());
        if (send != null) {
            // Earlier ones without a completion of their own are done, too.
            while (now.sends.peek() != send) {
                now.sends.remove();
            }
            now.sends.remove();
            send.flow.completion = event;
            send.flow.add(event);
            event.operation = event.operation.isEmpty() ? send.operation : event.operation;
            return;
        }
        ViewEvent receive = take(now.receives, event.wrId());
        receive = receive == null ? take(shared, event.wrId()) : receive;
        if (receive != null) {
            postOfReceive.put(event, receive);
            event.operation = event.operation.isEmpty() ? "RECEIVE" : event.operation;
        }
    }

    private static ViewEvent find(Deque<ViewEvent> posts, long wrId) {
        return posts.stream().filter(post -> post.wrId() == wrId).findFirst().orElse(null);
    }

    private static ViewEvent take(Deque<ViewEvent> posts, long wrId) {
        ViewEvent post = find(posts, wrId);
        posts.removeFirstOccurrence(post);
        return post;
    }

    private static String stateAfter(ViewEvent event, String before) {
        if (event.isCompletion()) {
            return event.status.equals("SUCCESS") ? before : "ERR";
        }
        return switch (event.name) {
            case "ibv_create_qp" -> "RESET";
            case "rdma_create_qp" -> "INIT";
            case "ibv_modify_qp" -> {
                String named = event.step.string("state");
                yield named.isEmpty() ? before : named;
            }
            case "RDMA_CM_EVENT_ESTABLISHED" -> "RTS";
            case "rdma_disconnect", "RDMA_CM_EVENT_DISCONNECTED" -> before.equals("destroyed") ? before : "ERR";
            case "ibv_destroy_qp", "rdma_destroy_qp" -> "destroyed";
            default -> before;
        };
    }
}
