package io.verbena.tools.sequence;

import io.verbena.tools.recording.TraceStep;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// The steps that are shown.
/// - `part`: all, or only one part of the run
/// - `all`: also steps that are rarely of interest: queries, closing, waiting for notifications
/// - `show`, `hide`: prefixes of verbs that are shown or hidden, whatever the others say
record Selection(Part part, boolean all, List<String> show, List<String> hide) {
    /// A part of a program's run.
    enum Part {
        ALL,
        /// Until both sides are connected.
        CONNECTION,
        /// Work requests and completions.
        TRANSFER
    }

    private static final Set<String> SELDOM = Set.of(
            "ibv_query_",
            "ibv_get_",
            "ibv_destroy_",
            "ibv_dereg_",
            "ibv_dealloc_",
            "ibv_close_",
            "ibv_req_notify_cq",
            "ibv_create_comp_channel",
            "poll",
            "rdma_set_option",
            "rdma_init_qp_attr",
            "rdma_destroy_",
            "rdma_create_ep");

    private static final Set<String> TRANSFER = Set.of("ibv_post_", "ibv_bind_mw", "completion");

    List<TraceStep> of(List<TraceStep> steps) {
        int end = part == Part.CONNECTION ? connected(steps) : steps.size();
        return steps.subList(0, end).stream().filter(this::isShown).toList();
    }

    private static int connected(List<TraceStep> steps) {
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).isEvent("ESTABLISHED")) {
                return i + 1;
            }
        }
        return steps.size();
    }

    private boolean isShown(TraceStep step) {
        if (startsWithAny(step.verb(), show)) {
            return true;
        }
        if (startsWithAny(step.verb(), hide) || part == Part.TRANSFER && !startsWithAny(step.verb(), TRANSFER)) {
            return false;
        }
        boolean isFlushed = step.isCompletion() && step.string("status").equals("WORK_REQUEST_FLUSHED");
        return all || step.kind().equals("failure") || !isFlushed && !startsWithAny(step.verb(), SELDOM);
    }

    private static boolean startsWithAny(String verb, Collection<String> beginnings) {
        return beginnings.stream().anyMatch(verb::startsWith);
    }
}
