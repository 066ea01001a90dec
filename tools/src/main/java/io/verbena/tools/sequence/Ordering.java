package io.verbena.tools.sequence;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Puts the steps of both sides into one order: by time, but never before their cause, because the clocks of two
/// hosts differ.
final class Ordering {
    private final Map<Step, Step> causes = new IdentityHashMap<>();
    private final Set<Step> done = Collections.newSetFromMap(new IdentityHashMap<>());

    private Ordering(List<Arrow> arrows) {
        for (Arrow arrow : arrows) {
            if (arrow.to() != null) {
                causes.put(arrow.to(), arrow.from());
            }
        }
    }

    static List<Step> of(List<Step> client, List<Step> server, List<Arrow> arrows) {
        return new Ordering(arrows).merge(client, server);
    }

    private List<Step> merge(List<Step> client, List<Step> server) {
        // a cause that is not shown is waited for by nobody
        Set<Step> shown = Collections.newSetFromMap(new IdentityHashMap<>());
        shown.addAll(client);
        shown.addAll(server);
        causes.values().retainAll(shown);

        List<Step> all = new ArrayList<>(client.size() + server.size());
        int left = 0;
        int right = 0;
        while (left < client.size() || right < server.size()) {
            Step a = left < client.size() ? client.get(left) : null;
            Step b = right < server.size() ? server.get(right) : null;
            Step next = earlier(a, b);
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

    private Step earlier(Step a, Step b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (isReady(a) != isReady(b)) {
            return isReady(a) ? a : b;
        }
        return a.timeNs() <= b.timeNs() ? a : b;
    }

    private boolean isReady(Step step) {
        Step cause = causes.get(step);
        return cause == null || done.contains(cause);
    }
}
