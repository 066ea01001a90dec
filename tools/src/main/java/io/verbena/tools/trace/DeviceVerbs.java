package io.verbena.tools.trace;

import static java.util.Map.entry;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Device;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.MemoryWindowBind;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.PortAttributes;
import java.util.List;
import java.util.Map;

/// What is shown of the verbs of devices, protection domains and memory.
final class DeviceVerbs {
    static final Map<String, Show> SHOWN = Map.ofEntries(
            entry("devices", DeviceVerbs::devices),
            entry(
                    "opened",
                    (details, call) ->
                            details.add("device", call.target(Device.class).name(), call.name())),
            entry("ports", DeviceVerbs::ports),
            entry("port", DeviceVerbs::port),
            entry("rows", DeviceVerbs::rows),
            entry("pkey", (details, call) -> details.gives("pkey", Details.hex((int) call.result()))),
            entry("wanted", (details, call) -> details.addHex("pkey", (int) call.argument(1))),
            entry("region", DeviceVerbs::region),
            entry(
                    "lkey",
                    (details, call) -> details.addHex(
                            "lkey", call.target(MemoryRegion.class).lkey())),
            entry(
                    "rkey",
                    (details, call) -> details.addHex(
                            "rkey", call.target(MemoryWindow.class).rkey())),
            entry("bind", DeviceVerbs::bind),
            entry("sender", (details, call) -> details.say(call.text(((AddressHandle) call.result()).address()))));

    private DeviceVerbs() {}

    private static void devices(Details details, TracedCall call) {
        List<String> names = ((List<?>) call.result())
                .stream().map(device -> ((Device) device).name()).toList();
        details.add("devices", names, "-> " + (names.isEmpty() ? "none" : String.join(", ", names)));
    }

    private static void ports(Details details, TracedCall call) {
        int ports = ((DeviceAttributes) call.result()).portCount();
        details.add("ports", ports, "-> ports " + ports);
    }

    private static void port(Details details, TracedCall call) {
        var port = (PortAttributes) call.result();
        details.say("-> " + port.state() + ", MTU " + port.activeMtu().bytes());
    }

    private static void rows(Details details, TracedCall call) {
        int rows = ((List<?>) call.result()).size();
        details.add("rows", rows, "-> rows " + rows);
    }

    /// A GID as an IP address where it is one.
    static String gid(Gid gid) {
        return gid.isIpv4() ? gid.address().getHostAddress() : gid.toString();
    }

    static String destination(AddressVector vector) {
        return vector.isGlobal() ? "to " + gid(vector.destination()) : "to LID " + vector.destinationLid();
    }

    private static void region(Details details, TracedCall call) {
        var region = (MemoryRegion) call.result();
        String lkey = Details.hex(region.lkey());
        details.add("bytes", region.length(), Details.bytes(region.length()))
                .add("address", Details.hex(region.address()), "at " + Details.hex(region.address()))
                .say(Details.rights(Access.of(region.access())))
                .add("lkey", lkey, "-> lkey " + lkey);
        if (region.rkey() != 0) {
            details.addHex("rkey", region.rkey());
        }
    }

    private static void bind(Details details, TracedCall call) {
        var bind = call.argument(2, MemoryWindowBind.class);
        details.add("bytes", bind.length(), Details.bytes(bind.length()))
                .say("of lkey " + Details.hex(bind.region().lkey()))
                .say(Details.rights(bind.access()));
    }
}
