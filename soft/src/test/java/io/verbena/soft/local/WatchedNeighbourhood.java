package io.verbena.soft.local;

import io.verbena.soft.os.Announcement;
import io.verbena.soft.os.SealedMemory;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A simulated neighbourhood that notes which kinds of entries go through its lanes. It misses the entries of a lane
/// whose ring wraps around between two scans.
public final class WatchedNeighbourhood extends Neighbourhood implements AutoCloseable {
    /// Behind the first cell of all entries but plain SENDs, and where a reference stands for a payload.
    private static final int FIXED_BYTES = 32;

    private final SimulatedNeighbourhood neighbourhood = new SimulatedNeighbourhood();
    private final List<Watched> lanes = new ArrayList<>();
    private final Map<String, Integer> seen = new TreeMap<>();

    private final class Watched {
        final SealedMemory memory;
        final RingReader requests;
        final RingReader replies;
        boolean inMessage;

        Watched(SealedMemory lane) {
            memory = SealedMemory.open(ProcessHandle.current().pid(), lane.fd(), lane.nonce(), LaneLayout.BYTES);
            requests = new RingReader(memory.memory(), LaneLayout.REQUESTS_AT, LaneLayout.REQUEST_CELLS);
            replies = new RingReader(memory.memory(), LaneLayout.REPLIES_AT, LaneLayout.REPLY_CELLS);
        }

        void scanLanes() {
            if (memory.memory().get(ValueLayout.JAVA_INT, LaneLayout.QUIET_AT) != 0) {
                note("quiet");
            }
            while (requests.next()) {
                request(requests.form());
            }
            while (replies.next()) {
                note("reply to " + operation(replies.form()));
                replies.consume(LaneLayout.cells(LaneLayout.length(replies.form())));
            }
        }

        private void request(long form) {
            Operation operation = operation(form);
            int flags = LaneLayout.flags(form);
            boolean more = (flags & LaneLayout.MORE) != 0;
            boolean reference = (flags & LaneLayout.REFERENCE) != 0;
            boolean plain = operation == Operation.SEND && !more && !reference && !inMessage;
            boolean payload = operation.mayBeInline() || operation == Operation.ATOMIC_WRITE;
            int bytes = payload ? reference ? FIXED_BYTES : LaneLayout.length(form) : 0;
            inMessage = more;
            note(operation + (more ? " more" : "") + (reference ? " by reference" : ""));
            requests.consume(LaneLayout.cells(plain ? bytes : FIXED_BYTES + bytes));
        }

        private static Operation operation(long form) {
            return Operation.values()[LaneLayout.kind(form)];
        }
    }

    public void note(String what) {
        seen.merge(what, 1, Integer::sum);
    }

    /// The kinds of entries seen, and how often.
    public Map<String, Integer> seen() {
        return seen;
    }

    /// Counts the new entries in all lanes.
    public void scanLanes() {
        lanes.forEach(Watched::scanLanes);
    }

    @Override
    public SealedMemory create(long bytes, boolean reserve) {
        SealedMemory memory = super.create(bytes, reserve);
        if (bytes == LaneLayout.BYTES && !reserve) {
            lanes.add(new Watched(memory));
        }
        return memory;
    }

    @Override
    public Runnable announce(Gid gid, SealedMemory device) {
        return neighbourhood.announce(gid, device);
    }

    @Override
    public List<Announcement> find(Gid gid) {
        return neighbourhood.find(gid);
    }

    @Override
    public void close() {
        lanes.forEach(lane -> lane.memory.close());
        lanes.clear();
    }
}
