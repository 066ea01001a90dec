package io.verbena.tools.view;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// The events as columns of numbers, which a page loads at once, however many there are.
///
/// Layout, little-endian: the length of the description (int), the description as JSON, zeros up to a multiple of 8,
/// then the columns in the order that the description names. The whole is compressed by gzip.
final class PageData {
    private static final int ALIGNMENT = 8;
    private static final int MOST_STEPS = 24;
    private static final int LAST_STEPS = 4;

    /// Texts, each once. Number 0 is the empty text.
    private static final class Texts {
        private final Map<String, Integer> numbers = new HashMap<>(Map.of("", 0));
        private final List<String> all = new ArrayList<>(List.of(""));

        int of(String text) {
            Integer known = numbers.get(text);
            if (known != null) {
                return known;
            }
            numbers.put(text, all.size());
            all.add(text);
            return all.size() - 1;
        }
    }

    private final Conversation conversation;
    private final List<ViewEvent> events;
    private final Texts words = new Texts();
    private final Texts texts = new Texts();
    private final List<Map<String, Object>> columns = new ArrayList<>();
    private final ByteArrayOutputStream values = new ByteArrayOutputStream();
    private final long startNs;

    private PageData(Conversation conversation) {
        this.conversation = conversation;
        events = conversation.events();
        startNs = events.getFirst().timeNs;
    }

    /// @param problems sentences about what could not be read
    static byte[] of(Conversation conversation, List<Finding> findings, List<String> problems, String title) {
        var data = new PageData(conversation);
        data.columns();
        return data.compressed(data.description(findings, problems, title));
    }

    @FunctionalInterface
    private interface Value {
        long of(ViewEvent event);
    }

    private void columns() {
        column("time", 8, event -> event.timeNs - startNs);
        column("wrId", 8, ViewEvent::wrId);
        column("qp", 4, event -> event.qp);
        column("psn", 4, event -> event.isPacket() ? event.packet.psn() : -1);
        column("flow", 4, event -> event.flow == null ? -1 : event.flow.id);
        column("receives", 4, event -> event.receives);
        column("outstanding", 4, event -> event.outstanding);
        column("text", 4, event -> texts.of(text(event)));
        column("note", 4, event -> texts.of(event.note));
        column("lane", 4, event -> event.lane);
        column("name", 4, event -> words.of(event.name));
        column("operation", 4, event -> words.of(event.operation));
        column("status", 4, event -> words.of(event.status));
        column("state", 4, event -> words.of(event.state));
        column("kind", 1, event -> event.kind.ordinal());
        column("level", 1, event -> event.level.ordinal());
        column("hasWrId", 1, event -> event.hasWrId() ? 1 : 0);
    }

    /// Numbers that differ from event to event are left out, so that equal texts stay equal.
    private static String text(ViewEvent event) {
        if (event.isPacket()) {
            return without(event.text, "psn=", event.packet.psn(), "{p}");
        }
        return event.hasWrId() ? without(event.text, "wr_id ", event.wrId(), "{w}") : event.text;
    }

    /// The page puts the number back at the first sign, so only the first one may be left out.
    private static String without(String text, String name, long number, String sign) {
        String words = name + number;
        int at = text.indexOf(words);
        int end = at + words.length();
        boolean isWhole = at >= 0 && (end == text.length() || !Character.isDigit(text.charAt(end)));
        return isWhole ? text.substring(0, at) + name + sign + text.substring(end) : text;
    }

    private void column(String name, int bytes, Value value) {
        ByteBuffer column = ByteBuffer.allocate(events.size() * bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (ViewEvent event : events) {
            long number = value.of(event);
            switch (bytes) {
                case 8 -> column.putLong(number);
                case 4 -> column.putInt((int) number);
                default -> column.put((byte) number);
            }
        }
        columns.add(new JsonObject().with("name", name).with("bytes", bytes));
        values.writeBytes(column.array());
    }

    private String description(List<Finding> findings, List<String> problems, String title) {
        return Json.line(new JsonObject()
                .with("title", title)
                .with("count", events.size())
                .with("startNs", String.valueOf(startNs))
                .with("columns", columns)
                .with("words", words.all)
                .with("texts", texts.all)
                .with(
                        "lanes",
                        conversation.lanes().stream()
                                .map(lane -> new JsonObject()
                                        .with("title", lane.title())
                                        .with("group", lane.group())
                                        .with("address", lane.address())
                                        .with("note", lane.note()))
                                .toList())
                .with(
                        "sources",
                        conversation.sources().stream().map(Source::name).toList())
                .with("connections", List.copyOf(conversation.connections()))
                .with("acknowledged", acknowledged())
                .with(
                        "ends",
                        conversation.openEnds().stream()
                                .map(event -> event.index)
                                .toList())
                .with("problems", problems)
                .with("notes", conversation.notes())
                .with("findings", findings.stream().map(PageData::finding).toList())
                .with(
                        "regions",
                        conversation.regions().stream().map(PageData::region).toList()));
    }

    /// For each request, the packet that acknowledges it when that belongs to another request; pairs of numbers.
    private List<Integer> acknowledged() {
        List<Integer> pairs = new ArrayList<>();
        for (RequestFlow flow : conversation.flows()) {
            if (flow.acknowledged != null && flow.acknowledged.flow != flow) {
                pairs.add(flow.id);
                pairs.add(flow.acknowledged.index);
            }
        }
        return pairs;
    }

    private static Map<String, Object> finding(Finding finding) {
        return new JsonObject()
                .with("level", finding.level().ordinal())
                .with("title", finding.title())
                .with("explanation", finding.explanation())
                .with("remedy", finding.remedy())
                .with(
                        "facts",
                        finding.facts().stream()
                                .map(fact -> List.of(fact.name(), fact.value()))
                                .toList())
                .with("event", finding.event().index)
                .with("more", Math.max(0, finding.steps().size() - MOST_STEPS))
                .with("moreAt", MOST_STEPS - LAST_STEPS)
                .with(
                        "steps",
                        inSight(finding.steps()).stream()
                                .map(step -> new JsonObject()
                                        .with("event", step.event().index)
                                        .with("why", step.why()))
                                .toList());
    }

    /// Of many the first and the last ones.
    private static List<Finding.Step> inSight(List<Finding.Step> steps) {
        if (steps.size() <= MOST_STEPS) {
            return steps;
        }
        List<Finding.Step> some = new ArrayList<>(steps.subList(0, MOST_STEPS - LAST_STEPS));
        some.addAll(steps.subList(steps.size() - LAST_STEPS, steps.size()));
        return some;
    }

    private static Map<String, Object> region(Region region) {
        return new JsonObject()
                .with("side", region.side().name().toLowerCase(Locale.ROOT))
                .with("lkey", region.lkey())
                .with("rkey", region.rkey())
                .with("bytes", region.bytes())
                .with("address", region.address())
                .with("access", region.access())
                .with("from", region.registered().index)
                .with("to", region.closed() == null ? -1 : region.closed().index);
    }

    private byte[] compressed(String description) {
        byte[] words = description.getBytes(StandardCharsets.UTF_8);
        int start = (Integer.BYTES + words.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer head = ByteBuffer.allocate(start).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(words.length).put(words);
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes) {
            {
                def.setLevel(Deflater.BEST_SPEED);
            }
        }) {
            out.write(head.array());
            values.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }
}
