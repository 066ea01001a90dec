package io.verbena.tools.view;

import io.verbena.tools.recording.Side;
import java.util.List;
import java.util.Map;

/// Matches a recording with traces, by the numbers of queue pairs. One process may have both sides.
final class RecordedSides {
    private RecordedSides() {}

    /// An event is of the side whose trace has its queue pair; of none when no trace has it, or both have.
    static void assign(Source recording, Map<Side, Source> traces) {
        QueuePairSides sides = QueuePairSides.of(traces, List.of());
        for (ViewEvent event : recording.events()) {
            event.side = sides.of(event.qp);
        }
    }

    /// A request that failed at the device is one that the program learns of afterwards.
    static void link(Source recording, Map<Side, Source> traces, ClockAlignment clocks) {
        for (ViewEvent error : recording.events()) {
            if (error.side != null && error.recorded.is("soft.ErrorCompletion")) {
                link(error, traces.get(error.side).events(), clocks);
            }
        }
    }

    private static void link(ViewEvent error, List<ViewEvent> trace, ClockAlignment clocks) {
        trace.stream()
                .filter(event -> event.isCompletion() && event.qp == error.qp && event.wrId() == error.wrId())
                .filter(event -> event.status.equals(error.status))
                .findFirst()
                .ifPresent(completion -> {
                    clocks.follows(error, completion);
                    if (completion.flow != null) {
                        completion.flow.add(error);
                    }
                });
    }
}
