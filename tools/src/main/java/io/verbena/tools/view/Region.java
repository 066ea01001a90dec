package io.verbena.tools.view;

import io.verbena.tools.recording.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Registered memory.
///
/// @param address empty when the trace does not name it
/// @param closed null when the trace does not close it
record Region(
        Side side,
        String lkey,
        String rkey,
        String address,
        String access,
        long bytes,
        ViewEvent registered,
        ViewEvent closed) {
    private static final Pattern RIGHTS = Pattern.compile("(?<![A-Z_])(?:LOCAL|REMOTE)_[A-Z_|]+");
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]{1,16}");

    /// All regions of one trace.
    static List<Region> of(List<ViewEvent> events) {
        Map<String, Integer> open = new HashMap<>();
        List<Region> regions = new ArrayList<>();
        for (ViewEvent event : events) {
            if (event.isCall("ibv_reg_mr")) {
                String lkey = event.step.string("lkey");
                open.put(lkey, regions.size());
                regions.add(new Region(
                        event.side,
                        lkey,
                        event.step.string("rkey"),
                        event.step.string("address"),
                        rights(event.text),
                        event.step.number("bytes"),
                        event,
                        null));
            } else if (event.isCall("ibv_dereg_mr")) {
                Integer at = open.remove(event.step.string("lkey"));
                if (at != null) {
                    regions.set(at, regions.get(at).closedBy(event));
                }
            }
        }
        return regions;
    }

    private static String rights(String text) {
        Matcher rights = RIGHTS.matcher(text);
        return rights.find() ? rights.group() : "";
    }

    /// For sentences: `8192 bytes at 0x7f00, LOCAL_WRITE REMOTE_WRITE`.
    String words() {
        return bytes + " bytes" + (address.isEmpty() ? "" : " at " + address) + ", "
                + (access.isEmpty() ? "no rights" : access.replace('|', ' '));
    }

    /// Whether a range certainly does not lie in it. Traces of earlier versions do not name the address.
    boolean isOutside(String remote, long wanted) {
        if (!ADDRESS.matcher(address).matches() || !ADDRESS.matcher(remote).matches()) {
            return wanted > bytes;
        }
        long offset =
                Long.parseUnsignedLong(remote.substring(2), 16) - Long.parseUnsignedLong(address.substring(2), 16);
        return offset < 0 || offset + wanted > bytes;
    }

    private Region closedBy(ViewEvent event) {
        return new Region(side, lkey, rkey, address, access, bytes, registered, event);
    }

    boolean isOpenAt(long timeNs) {
        return registered.timeNs <= timeNs && (closed == null || closed.timeNs > timeNs);
    }

    boolean allows(String right) {
        return registered.text.contains(right);
    }
}
