package io.verbena.tools.sequence;

import io.verbena.tools.recording.Arrow;
import io.verbena.tools.recording.TraceStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Merges the steps of both sides into one order: by time, but no step before its cause, because the clocks of two
/// hosts differ.
final class StepMerger {
    private final Map<TraceStep, TraceStep> causes = new IdentityHashMap<>();
    private final Set<TraceStep> done = Collections.newSetFromMap(new IdentityHashMap<>());

    private StepMerger(List<Arrow> arrows) {
        for (Arrow arrow : arrows) {
            if (arrow.to() != null) {
                causes.put(arrow.to(), arrow.from());
            }
        }
    }

    static List<TraceStep> of(List<TraceStep> client, List<TraceStep> server, List<Arrow> arrows) {
        return new StepMerger(arrows).merge(client, server);
    }

    private List<TraceStep> merge(List<TraceStep> client, List<TraceStep> server) {
        // causes that are not shown do not count
        Set<TraceStep> shown = Collections.newSetFromMap(new IdentityHashMap<>());
        shown.addAll(client);
        shown.addAll(server);
        causes.values().retainAll(shown);

        List<TraceStep> all = new ArrayList<>(client.size() + server.size());
        int left = 0;
        int right = 0;
        while (left < client.size() || right < server.size()) {
            TraceStep a = left < client.size() ? client.get(left) : null;
            TraceStep b = right < server.size() ? server.get(right) : null;
            TraceStep next = earlier(a, b);
            if (next == a) {
                left++;
            } else {
                right++;
            }
            all.add(next);
            done.add(next);
        }
        return all;
    }

    private TraceStep earlier(TraceStep a, TraceStep b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (isReady(a) != isReady(b)) {
            return isReady(a) ? a : b;
        }
        return a.timeNs() <= b.timeNs() ? a : b;
    }

    private boolean isReady(TraceStep step) {
        TraceStep cause = causes.get(step);
        return cause == null || done.contains(cause);
    }
}
