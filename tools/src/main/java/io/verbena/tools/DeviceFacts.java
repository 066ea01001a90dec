package io.verbena.tools;

import io.verbena.report.Json;
import io.verbena.report.JsonObject;
import io.verbena.roce.dump.GidText;
import io.verbena.tools.text.ProgramName;
import io.verbena.verbs.Context;
import io.verbena.verbs.Device;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.AtomicCapability;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.DeviceCapability;
import io.verbena.verbs.attr.GidEntry;
import io.verbena.verbs.attr.GidType;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.PortAttributes;
import io.verbena.verbs.attr.PortState;
import io.verbena.verbs.spi.Availability;
import java.lang.reflect.RecordComponent;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The facts about one device. A device that cannot be opened is listed with the reason.
record DeviceFacts(
        Device device,
        DeviceAttributes attributes,
        List<PortAttributes> ports,
        List<GidEntry> gids,
        Map<String, String> verbs,
        Map<String, Availability> paths,
        Map<Integer, Long> shards,
        String trouble) {

    private static final Set<String> BIT_MASKS = Set.of("pageSizes", "capabilityFlags", "capabilityFlags2", "vendorId");
    private static final String VERB = "supports ";
    private static final Set<String> SUMMARIZED = Set.of("capabilities", "node guid", "system image guid");
    private static final Set<String> NOTHING = Set.of("", "0", "0x0", "unknown");
    /// Codes without a 0: a device returns 0 when it does not know.
    private static final Set<String> CODES_FROM_1 = Set.of("activeWidth", "activeSpeed", "physicalState");

    /// @param probe whether to find out which verbs the device has
    static DeviceFacts of(Device device, boolean probe) {
        try (Context context = device.open()) {
            DeviceAttributes attributes = context.attributes();
            List<PortAttributes> ports = IntStream.rangeClosed(1, attributes.portCount())
                    .mapToObj(context::port)
                    .toList();
            List<GidEntry> gids = ports.stream()
                    .flatMap(port -> context.gids(port.port()).stream())
                    .toList();
            Map<String, String> verbs = probe ? VerbProbe.run(context) : Map.of();
            return new DeviceFacts(device, attributes, ports, gids, verbs, context.paths(), context.shards(), "");
        } catch (RdmaException e) {
            return new DeviceFacts(device, null, List.of(), List.of(), Map.of(), Map.of(), Map.of(), e.getMessage());
        }
    }

    String provider() {
        return device.provider();
    }

    String name() {
        return device.name();
    }

    String type() {
        return device.nodeType().toString();
    }

    private String guid() {
        return String.format(Locale.ROOT, "%016x", device.guid());
    }

    String state() {
        return ports.isEmpty() ? "not opened" : ports.getFirst().state().deviceInfoText();
    }

    /// The address that peers connect to, by the GIDs: IPv4 before IPv6.
    String address() {
        return gids.stream()
                .filter(entry -> entry.type() == GidType.ROCE_V2 && entry.gid().isIpv4())
                .findFirst()
                .or(() -> gids.stream().findFirst())
                .map(entry -> GidText.of(entry.gid().high(), entry.gid().low()))
                .orElse("-");
    }

    /// The most important facts; for a device that cannot be opened, the reason.
    Map<String, String> summary() {
        Map<String, String> summary = new LinkedHashMap<>();
        if (attributes == null) {
            summary.put("trouble", trouble);
        } else {
            summary.put("limits", limits());
            summary.put("capabilities", String.join(" ", capabilities()));
        }
        return summary;
    }

    /// By the names of the API; ATOMICS is an attribute of its own there.
    private List<String> capabilities() {
        if (attributes == null) {
            return List.of();
        }
        Stream<String> atomics = attributes.atomics() == AtomicCapability.NONE ? Stream.empty() : Stream.of("ATOMICS");
        Stream<String> others = attributes.capabilities().stream().map(DeviceCapability::name);
        return Stream.concat(atomics, others).sorted().toList();
    }

    /// The few limits that programs reach first.
    private String limits() {
        return String.format(
                Locale.ROOT,
                "MTU %d, %,d QPs of %,d requests, %,d CQ entries, %d READs in flight",
                ports.isEmpty() ? 0 : ports.getFirst().activeMtu().bytes(),
                attributes.maxQueuePairs(),
                attributes.maxWorkRequests(),
                attributes.maxCompletionEntries(),
                attributes.maxReadAtomicAsInitiator());
    }

    /// All facts by name, with numbers as numbers.
    Map<String, Object> details() {
        return details(DeviceFacts::number);
    }

    /// All facts by name as people read them: without what is 0, unknown or in [#summary], and with the verbs in one
    /// line. `--json` has all of them.
    Map<String, Object> text() {
        Map<String, Object> told = details(DeviceFacts::text);
        told.keySet().removeAll(SUMMARIZED);
        told.keySet().removeIf(name -> name.startsWith(VERB) || name.endsWith(": port"));
        told.values().removeIf(value -> NOTHING.contains(String.valueOf(value)));
        Map<String, List<String>> byAnswer = new LinkedHashMap<>();
        verbs.forEach((verb, answer) ->
                byAnswer.computeIfAbsent(answer, _ -> new ArrayList<>()).add(verb));
        byAnswer.forEach((answer, those) ->
                told.put(answer.equals("yes") ? VERB.strip() : VERB + answer, String.join(", ", those)));
        return told;
    }

    /// Masks are unsigned.
    private static Object number(String name, Object value) {
        return value instanceof Long bits && BIT_MASKS.contains(name)
                ? new BigInteger(Long.toUnsignedString(bits))
                : value;
    }

    private static Object text(String name, Object value) {
        if (!(value instanceof Number number)) {
            return value;
        }
        if (BIT_MASKS.contains(name)) {
            long bits = number instanceof Integer small ? Integer.toUnsignedLong(small) : number.longValue();
            return String.format(Locale.ROOT, "0x%x", bits);
        }
        return CODES_FROM_1.contains(name) && number.longValue() == 0 ? "unknown" : value;
    }

    private Map<String, Object> details(BiFunction<String, Object, Object> form) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("guid", guid());
        all.put("transport", device.transportType().toString());
        all.put("kernel name", device.kernelName());
        if (attributes != null) {
            all.putAll(components(attributes, "", form));
        }
        for (PortAttributes port : ports) {
            all.putAll(components(port, "port " + port.port() + ": ", form));
        }
        for (GidEntry entry : gids) {
            all.put("port " + entry.port() + ": gid " + entry.index(), entry.gid() + " (" + entry.type() + ")");
        }
        paths.forEach((path, availability) -> all.put("path " + path, availability.toString()));
        shards.forEach((shard, pid) -> all.put("shard " + shard, holder(pid)));
        verbs.forEach((verb, result) -> all.put(VERB + verb, result));
        return all;
    }

    private static String holder(long pid) {
        String name = pid == ProcessHandle.current().pid() ? "this one" : ProgramName.of(pid);
        return "process " + pid + (name.isEmpty() ? "" : ", " + name);
    }

    Map<String, Object> json() {
        return new JsonObject()
                .with("provider", provider())
                .with("name", name())
                .with("type", type())
                .with("guid", guid())
                .with("state", state())
                .with("address", address())
                .with("trouble", trouble)
                .with("capabilities", capabilities())
                .with("paths", pathsJson())
                .with("details", details());
    }

    private Map<String, Object> pathsJson() {
        Map<String, Object> all = Json.object();
        paths.forEach((path, is) ->
                all.put(path, Json.object("available", is.isAvailable(), "cause", is.cause(), "remedy", is.remedy())));
        return all;
    }

    /// The parts of a record under names for people: `maxQueuePairs` becomes `max queue pairs`.
    private static Map<String, Object> components(
            Record values, String prefix, BiFunction<String, Object, Object> form) {
        Map<String, Object> all = new LinkedHashMap<>();
        for (RecordComponent part : values.getClass().getRecordComponents()) {
            Object value = value(part, values);
            if (value instanceof Record details) {
                all.putAll(components(details, prefix, form));
            } else {
                all.put(prefix + words(part.getName()), form.apply(part.getName(), value));
            }
        }
        return all;
    }

    private static String words(String camelCase) {
        return camelCase.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static Object value(RecordComponent part, Record values) {
        try {
            Object value = part.getAccessor().invoke(values);
            if (part.getName().endsWith("Guid")) {
                return String.format(Locale.ROOT, "%016x", value);
            }
            if (value instanceof Collection<?> many) {
                return many.stream().map(Object::toString).sorted().collect(Collectors.joining(" "));
            }
            if (value instanceof PortState state) {
                return state.deviceInfoText();
            }
            if (value instanceof Mtu mtu) {
                return mtu.bytes();
            }
            return value instanceof Number || value instanceof Record ? value : String.valueOf(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + part.getName() + ": " + e.getMessage(), e);
        }
    }
}
