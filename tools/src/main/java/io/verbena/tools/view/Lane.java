package io.verbena.tools.view;

import io.verbena.tools.recording.Side;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A row of the timeline: a program, a queue pair of it, or what one queue pair sent.
///
/// @param group `client`, `wire`, `server` or `recording`
/// @param address of the sender of packets; empty for other lanes
/// @param note why it has no events; empty for all that have some
record Lane(String title, String group, String address, String note) {
    private static final int GSI = 1;

    private record Key(int order, String group, String title, String address) {}

    /// Gives each event its lane. The client is at the top, the server at the bottom, the wire between them.
    static List<Lane> assign(List<ViewEvent> events, List<Source> sources, Function<Side, String> names) {
        long captures = sources.stream().filter(Source::isCapture).count();
        long recordings = sources.stream().filter(Source::isRecording).count();
        Map<Key, Integer> seen = new LinkedHashMap<>();
        List<Key> keys = new ArrayList<>(events.size());
        for (ViewEvent event : events) {
            Key key = event.isPacket()
                    ? wire(event, captures > 1 ? sources.get(event.source).name() + ": " : "", names)
                    : event.isRecorded()
                            ? recorded(
                                    event,
                                    recordings > 1 ? sources.get(event.source).name() + ": " : "")
                            : program(event);
            seen.putIfAbsent(key, seen.size());
            keys.add(key);
        }
        var nothing = new Key(3, "wire", "wire", "");
        String note = emptyWire(events, sources);
        if (!note.isEmpty()) {
            seen.put(nothing, seen.size());
        }
        List<Key> ordered = new ArrayList<>(seen.keySet());
        ordered.sort(Comparator.comparingInt(Key::order));
        for (int i = 0; i < ordered.size(); i++) {
            seen.put(ordered.get(i), i);
        }
        for (int i = 0; i < keys.size(); i++) {
            events.get(i).lane = seen.get(keys.get(i));
        }
        return ordered.stream()
                .map(key -> new Lane(key.title(), key.group(), key.address(), key.equals(nothing) ? note : ""))
                .toList();
    }

    /// Why programs are shown without packets; empty when there are packets.
    private static String emptyWire(List<ViewEvent> events, List<Source> sources) {
        if (sources.stream().noneMatch(Source::isTrace) || events.stream().anyMatch(ViewEvent::isPacket)) {
            return "";
        }
        return sources.stream().anyMatch(Source::isCapture)
                ? "nothing was captured: the capture is empty"
                : "nothing was captured: no capture was given";
    }

    private static Key program(ViewEvent event) {
        boolean isClient = event.side == Side.CLIENT;
        String group = isClient ? "client" : "server";
        String name = event.sideName();
        if (event.qp < 0) {
            return new Key(isClient ? 0 : 6, group, name + ": program", "");
        }
        return new Key(isClient ? 1 : 5, group, name + ": " + ViewEvent.queuePair(event.qp), "");
    }

    /// Beside the program that it was recorded of, if that is known.
    private static Key recorded(ViewEvent event, String file) {
        int order = event.side == Side.CLIENT ? 1 : event.side == Side.SERVER ? 5 : 7;
        String device = event.recorded.device();
        String where = event.qp >= 0
                ? device + " " + ViewEvent.queuePair(event.qp)
                : device.isEmpty() ? "program" : device + " device";
        return new Key(order, "recording", file + "JFR " + where, "");
    }

    private static Key wire(ViewEvent event, String file, Function<Side, String> names) {
        int order = event.side == Side.CLIENT ? 2 : event.side == Side.SERVER ? 4 : 3;
        CapturedPacket packet = event.packet;
        String from = event.side == null ? packet.from() : "wire: " + names.apply(event.side);
        String who = event.qp == GSI
                ? " CM (QP 1)"
                : event.qp >= 0
                        ? " " + ViewEvent.queuePair(event.qp)
                        : " to " + ViewEvent.queuePair(packet.destinationQp());
        return new Key(order, "wire", file + from + who, packet.from());
    }
}
