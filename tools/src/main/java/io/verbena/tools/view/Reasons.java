package io.verbena.tools.view;

import static io.verbena.tools.view.Finding.fact;

import io.verbena.tools.recording.Side;
import io.verbena.verbs.attr.CompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Finds out why a request failed, from what the peer did. Where the files do not tell, it says what the status means.
record Reasons(Conversation conversation) {
    private static final Pattern KEY = Pattern.compile("0x[0-9a-fA-F]{1,8}");

    private static final double MS = 1e6;
    private static final int MOST_KEYS = 4;

    Reason of(ViewEvent completion, CompletionStatus status) {
        ViewEvent post = completion.flow == null ? null : completion.flow.post;
        Reason reason = post == null
                ? null
                : switch (status) {
                    case RNR_RETRY_EXCEEDED -> ofNoReceive(post);
                    case REMOTE_ACCESS_ERROR -> ofKey(post, completion);
                    case RETRY_EXCEEDED -> ofSilence(completion);
                    default -> null;
                };
        return reason != null ? reason : Reason.general(general(status));
    }

    private static String general(CompletionStatus status) {
        return Findings.sentence(status.explain());
    }

    /// The peer's queue pair had no receive.
    Reason ofNoReceive(ViewEvent post) {
        Source trace = conversation.trace(post.side.other());
        String peer = conversation.name(post.side.other());
        String general = general(CompletionStatus.RNR_RETRY_EXCEEDED);
        if (trace == null) {
            return new Reason("the " + peer + " had no receive posted", List.of(), general, "", List.of());
        }
        ViewEvent before = null;
        ViewEvent firstPost = null;
        ViewEvent latePost = null;
        for (ViewEvent event : trace.events()) {
            boolean isHere = event.qp < 0 || conversation.isSameConnection(event, post);
            boolean isEarlier = event.timeNs <= post.timeNs;
            if (isHere && isEarlier && event.receives >= 0) {
                before = event;
            }
            if (isHere && event.isPostReceive()) {
                firstPost = firstPost == null ? event : firstPost;
                latePost = latePost == null && !isEarlier ? event : latePost;
            }
        }
        List<Finding.Step> steps = new ArrayList<>();
        if (before != null) {
            steps.add(Causes.step(
                    before,
                    "the " + peer + "'s queue pair has " + before.receives + " receives posted"
                            + (before.receives == 0 ? ": nothing can take the message" : "")));
        }
        if (latePost != null) {
            steps.add(Causes.step(latePost, "the " + peer + " posts a receive only now"));
        }
        String name = "receives of the " + peer;
        String posted = before == null ? "" : before.receives + " posted when the request came, ";
        if (firstPost == null) {
            return neverPosted(peer, conversation.name(post.side), fact(name, posted + "none later"), steps);
        }
        if (latePost != null) {
            String late = "%.3f ms later".formatted((latePost.timeNs - post.timeNs) / MS);
            return new Reason(
                    "the " + peer + " posts a receive only " + late,
                    List.of(fact(name, posted + "the next one " + late)),
                    "Each message needs a receive that waits for it when it comes. Without one the " + peer
                            + " answers RNR (receiver not ready).",
                    "Post receives before the peer sends, best before connecting; or raise rnrRetry (7 = wait for"
                            + " ever), so that the sender waits longer.",
                    steps);
        }
        return new Reason(
                "all receives of the " + peer + " were used up",
                List.of(fact(name, posted + "none later")),
                general,
                "",
                steps);
    }

    private static Reason neverPosted(String peer, String side, Finding.Fact fact, List<Finding.Step> steps) {
        return new Reason(
                "the " + peer + " never posts a receive",
                List.of(fact),
                "Each message needs a receive that waits for it. This one arrives, but the " + peer
                        + " has none to put it into, and answers RNR (receiver not ready).",
                "Post receives at the %s before the %s sends. To raise rnrRetry (7 = wait for ever) helps where a receive comes late; here none comes."
                        .formatted(peer, side),
                steps);
    }

    /// Null when the request's key is not known.
    private Reason ofKey(ViewEvent post, ViewEvent completion) {
        String rkey = post.step.string("rkey");
        Side side = post.side.other();
        String peer = conversation.name(side);
        if (rkey.isEmpty()) {
            return null;
        }
        if (conversation.trace(side) == null) {
            return new Reason(
                    "the " + peer + " refused rkey " + rkey,
                    List.of(wanted(post)),
                    general(CompletionStatus.REMOTE_ACCESS_ERROR),
                    "Compare with the keys of the " + peer + ": its trace (--trace-file) would show them on this page.",
                    List.of());
        }
        List<Region> ofPeer = conversation.regions().stream()
                .filter(each -> each.side() == side && !each.rkey().isEmpty())
                .toList();
        Region region = ofPeer.stream()
                .filter(each -> each.rkey().equals(rkey))
                .reduce((_, later) -> later)
                .orElse(null);
        if (region == null) {
            return ofUnknownKey(post, peer, ofPeer, completion);
        }
        if (region.closed() != null && region.closed().timeNs <= completion.timeNs) {
            return new Reason(
                    "the " + peer + " had closed the memory of rkey " + rkey,
                    List.of(
                            fact("rkey of the request", rkey),
                            fact("memory of the " + peer, "closed at " + conversation.time(region.closed()))),
                    "The key is stale since then.",
                    "Keep memory registered until no peer uses it any more.",
                    List.of(
                            Causes.step(region.registered(), "the " + peer + " registers the memory of rkey " + rkey),
                            Causes.step(region.closed(), "the " + peer + " closes it: the key is stale from here on")));
        }
        return ofRegion(region, post, peer);
    }

    /// The post has the key already: whatever went wrong with it was before.
    private static Reason ofUnknownKey(ViewEvent post, String peer, List<Region> ofPeer, ViewEvent completion) {
        String rkey = post.step.string("rkey");
        String side = post.sideName();
        List<Region> open = ofPeer.stream()
                .filter(each -> each.isOpenAt(completion.timeNs))
                .limit(MOST_KEYS)
                .toList();
        List<Finding.Fact> facts = new ArrayList<>();
        facts.add(fact("rkey posted by the " + side, rkey));
        open.forEach(each -> facts.add(fact("rkey of the " + peer, each.rkey() + ", " + each.words())));
        if (open.isEmpty()) {
            facts.add(fact("rkeys of the " + peer, "none: it has registered no memory for others"));
        }
        return new Reason(
                "the %s posted rkey %s, which the %s does not have".formatted(side, rkey, peer),
                facts,
                open.stream()
                        .filter(each -> isAlmost(rkey, each.rkey()))
                        .findFirst()
                        .map(_ -> "The " + side + "'s ibv_post_send has this key already, and it differs from the "
                                + peer
                                + "'s in one bit: something changed it before the post, not the network behind it.")
                        .orElse("The " + side
                                + "'s ibv_post_send has this key already: something changed it before, or it is"
                                + " of another connection or of an earlier run."),
                "Look how the " + side + " learned the key, and use it unchanged, as the " + peer
                        + " got it when it registered the memory.",
                open.stream()
                        .map(each -> Causes.step(
                                each.registered(), "the " + peer + " registers memory with rkey " + each.rkey()))
                        .toList());
    }

    /// Whether two keys, written as in traces, differ in one bit.
    private static boolean isAlmost(String rkey, String other) {
        return KEY.matcher(rkey).matches()
                && KEY.matcher(other).matches()
                && Long.bitCount(Long.decode(rkey) ^ Long.decode(other)) == 1;
    }

    /// The right that a request needs.
    private static String right(ViewEvent post) {
        return post.operation.startsWith("RDMA_READ")
                ? "REMOTE_READ"
                : post.operation.startsWith("RDMA_WRITE") ? "REMOTE_WRITE" : "REMOTE_ATOMIC";
    }

    private static Finding.Fact wanted(ViewEvent post) {
        return fact(
                "request wants", "%s, %s at %s".formatted(right(post), post.step.bytes(), post.step.string("remote")));
    }

    private static Reason ofRegion(Region region, ViewEvent post, String peer) {
        String right = right(post);
        List<Finding.Fact> facts = List.of(wanted(post), fact("rkey " + region.rkey() + " allows", region.words()));
        if (!region.allows(right)) {
            return new Reason(
                    "the " + peer + " registered this memory without " + right,
                    facts,
                    "The key is right, but not for this operation.",
                    "Register the memory with Access." + right + ", and allow the same for the queue pair.",
                    List.of(Causes.step(
                            region.registered(),
                            "the " + peer + " registers the memory of this rkey without " + right)));
        }
        boolean isOutside = region.isOutside(post.step.string("remote"), post.step.number("bytes"));
        return new Reason(
                isOutside ? "the range is outside the memory that the " + peer + " registered" : "",
                facts,
                isOutside
                        ? "The key is right, but only for the bytes that were registered."
                        : general(CompletionStatus.REMOTE_ACCESS_ERROR),
                isOutside ? "Use addresses and lengths inside the peer's memory, or register more of it." : "",
                List.of(Causes.step(region.registered(), "the " + peer + " registers " + region.words())));
    }

    /// What there was of the peer before a failure: its last call, its last packet, and whether it ever did what was
    /// asked.
    private record LastSigns(ViewEvent call, ViewEvent packet, boolean hasSucceeded) {}

    private LastSigns lastSigns(ViewEvent completion) {
        Side side = completion.side.other();
        boolean hasTrace = conversation.trace(side) != null;
        ViewEvent lastCall = null;
        ViewEvent lastPacket = null;
        boolean hasSucceeded = false;
        boolean isKnown = false;
        // Backwards: of many queue pairs, each one finds its last events soon.
        for (int i = completion.index - 1; i >= 0 && !isKnown; i--) {
            ViewEvent event = conversation.events().get(i);
            if (event.isPacket()) {
                lastPacket = lastPacket == null && conversation.isFromPeer(event, completion) ? event : lastPacket;
            } else if (event.side == side && event.step != null) {
                lastCall = lastCall == null ? event : lastCall;
            } else if (event.side == completion.side && event.qp == completion.qp) {
                hasSucceeded |= event.isCompletion() && event.status.equals("SUCCESS");
            }
            isKnown = hasSucceeded
                    && (lastCall != null || !hasTrace)
                    && (lastPacket != null || conversation.captures().isEmpty());
        }
        return new LastSigns(lastCall, lastPacket, hasSucceeded);
    }

    /// The peer does not answer any more.
    private Reason ofSilence(ViewEvent completion) {
        Side side = completion.side.other();
        Source trace = conversation.trace(side);
        LastSigns last = lastSigns(completion);
        ViewEvent lastCall = last.call;
        ViewEvent lastPacket = last.packet;
        String peer = conversation.name(side);
        List<Finding.Step> steps = new ArrayList<>();
        List<Finding.Fact> facts = new ArrayList<>();
        boolean isEnd = lastCall != null && trace.events().getLast() == lastCall;
        boolean isKilled = isEnd && conversation.requests(side).endsConnected();
        if (lastCall != null) {
            steps.add(Causes.step(
                    lastCall,
                    (isEnd ? "the last line of the " + peer + "'s trace" : "the last call of the " + peer + " before")
                            + (lastPacket != null && lastPacket.index > lastCall.index
                                    ? "; it still runs: its device answers later"
                                    : "")));
        }
        if (isKilled) {
            facts.add(fact(
                    "trace of the " + peer,
                    "ends at %s, while connected (RDMA WRITEs and READs of the %s are never in it)"
                            .formatted(conversation.time(lastCall), completion.sideName())));
        }
        if (lastPacket != null) {
            String silence = "%.1f ms before the error".formatted((completion.timeNs - lastPacket.timeNs) / MS);
            facts.add(fact("last packet of the " + peer, "at " + conversation.time(lastPacket) + ", " + silence));
            steps.add(Causes.step(
                    lastPacket,
                    "the last packet of the " + peer + ", " + silence
                            + ": its device still answers here, and never again"));
        }
        ViewEvent unanswered = lastPacket == null ? null : firstBehind(lastPacket, completion);
        if (unanswered != null) {
            facts.add(fact(
                    "answers end",
                    "between %s (its last packet) and %s (the first packet without an answer)"
                            .formatted(conversation.time(lastPacket), conversation.time(unanswered))));
        }
        boolean hasAnswered = last.hasSucceeded || lastPacket != null;
        if (isKilled && hasAnswered) {
            return killed(peer, facts, steps);
        }
        return new Reason(
                "the " + peer + " answers nothing"
                        + (lastPacket != null
                                ? " after " + conversation.time(lastPacket)
                                : last.hasSucceeded ? " any more" : ""),
                facts,
                hasAnswered
                        ? "The peer is dead, stopped or unreachable, or its queue pair is gone or in error. Address, QP"
                                + " number and PSN are right: it answered before."
                        : general(CompletionStatus.RETRY_EXCEEDED),
                hasAnswered ? "Look whether the " + peer + " still runs and can be reached; then connect again." : "",
                steps);
    }

    /// The first packet of a request that failed, if it was sent behind the last one of the peer.
    private static ViewEvent firstBehind(ViewEvent lastPacket, ViewEvent completion) {
        return completion.flow.events.stream()
                .filter(event -> event.isPacket() && event.packet.isRequest() && event.index > lastPacket.index)
                .findFirst()
                .orElse(null);
    }

    private static Reason killed(String peer, List<Finding.Fact> facts, List<Finding.Step> steps) {
        return new Reason(
                "the " + peer + " was probably killed while connected",
                facts,
                "The " + peer
                        + " answered before, and then never again, and its trace ends while it is connected: so it was"
                        + " probably killed, or it crashed.",
                "Look for its exit code and its log, and connect again when it is back. If it still runs, it is"
                        + " stopped or cannot be reached.",
                steps);
    }
}
