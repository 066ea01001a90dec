package io.verbena.tools.trace;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.tools.trace.VerbTable.Rows;
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
import java.util.Optional;

/// The verbs of devices, protection domains and memory.
final class DeviceVerbs {
    private DeviceVerbs() {}

    static void addTo(Rows rows) {
        rows.after("RdmaProvider.devices", "ibv_get_device_list", DeviceVerbs::devices)
                .after("RdmaProvider.device", "ibv_get_device_list", DeviceVerbs::device)
                .after(
                        "Device.open",
                        "ibv_open_device",
                        (details, call) ->
                                details.add("device", call.target(Device.class).name(), call.name()))
                .after("Context.attributes", "ibv_query_device", DeviceVerbs::attributes)
                .after("Context.port", "ibv_query_port", DeviceVerbs::port)
                .after("Context.gid", "ibv_query_gid", DeviceVerbs::gid)
                .after(
                        "Context.gids",
                        "ibv_query_gid_table",
                        (details, call) -> details.add("port", call.argument(0))
                                .add(
                                        "rows",
                                        ((List<?>) call.result()).size(),
                                        "-> rows " + ((List<?>) call.result()).size()))
                .after(
                        "Context.partitionKey",
                        "ibv_query_pkey",
                        (details, call) -> details.add("port", call.argument(0))
                                .add("index", call.argument(1))
                                .gives("pkey", Details.hex((int) call.result())))
                .after(
                        "Context.partitionKeyIndex",
                        "ibv_get_pkey_index",
                        (details, call) -> details.add("port", call.argument(0))
                                .addHex("pkey", Details.hex((int) call.argument(1)))
                                .gives("index", String.valueOf(call.result())))
                .before(
                        "Context.closeAll",
                        "ibv_close_device",
                        (details, call) -> details.say(call.name() + ", after all that was made of it"))
                .before("Context.close", "ibv_close_device", Show.NAME)
                .after("Context.allocateProtectionDomain", "ibv_alloc_pd", Show.made("pd"))
                .before("ProtectionDomain.close", "ibv_dealloc_pd", Show.NAME);
        memory(rows);
    }

    private static void memory(Rows rows) {
        rows.after("ProtectionDomain.allocate", "ibv_reg_mr", DeviceVerbs::region)
                .after("ProtectionDomain.register", "ibv_reg_mr", DeviceVerbs::region)
                .before("MemoryRegion.reregister", "ibv_rereg_mr", Show.NAME)
                .before(
                        "MemoryRegion.close",
                        "ibv_dereg_mr",
                        (details, call) -> details.addHex(
                                "lkey",
                                Details.hex(call.target(MemoryRegion.class).lkey())))
                .after(
                        "ProtectionDomain.allocateMemoryWindow",
                        "ibv_alloc_mw",
                        (details, call) -> details.say(call.text(0)).gives("mw", call.made()))
                .before("MemoryWindow.bind", "ibv_bind_mw", DeviceVerbs::bind)
                .before(
                        "MemoryWindow.close",
                        "ibv_dealloc_mw",
                        (details, call) -> details.say(call.name())
                                .addHex(
                                        "rkey",
                                        Details.hex(
                                                call.target(MemoryWindow.class).rkey())))
                .after(
                        "ProtectionDomain.createAddressHandle",
                        "ibv_create_ah",
                        (details, call) -> details.say(destination(call.argument(0, AddressVector.class)))
                                .gives("ah", call.made()))
                .after(
                        "ProtectionDomain.createAddressHandle(WorkCompletion)",
                        "ibv_create_ah_from_wc",
                        (details, call) -> details.say(destination(((AddressHandle) call.result()).address()))
                                .gives("ah", call.made()))
                .before("AddressHandle.close", "ibv_destroy_ah", Show.NAME);
    }

    private static void devices(Details details, TracedCall call) {
        List<String> names = ((List<?>) call.result())
                .stream().map(device -> ((Device) device).name()).toList();
        details.add("devices", names, "-> " + (names.isEmpty() ? "none" : String.join(", ", names)));
    }

    private static void device(Details details, TracedCall call) {
        String found = ((Optional<?>) call.result())
                .map(device -> ((Device) device).name())
                .orElse("none");
        details.say(call.text(0)).gives("device", found);
    }

    private static void attributes(Details details, TracedCall call) {
        var attributes = (DeviceAttributes) call.result();
        details.say(call.name()).add("ports", attributes.portCount(), "-> ports " + attributes.portCount());
    }

    private static void port(Details details, TracedCall call) {
        var port = (PortAttributes) call.result();
        details.add("port", call.argument(0))
                .say("-> " + port.state() + ", MTU " + port.activeMtu().bytes());
    }

    private static void gid(Details details, TracedCall call) {
        details.add("port", call.argument(0)).add("index", call.argument(1)).gives("gid", gid((Gid) call.result()));
    }

    /// A GID as an IP address where it is one.
    static String gid(Gid gid) {
        return gid.isIpv4() ? gid.address().getHostAddress() : gid.toString();
    }

    private static String destination(AddressVector vector) {
        return vector.isGlobal() ? "to " + gid(vector.destination()) : "to LID " + vector.destinationLid();
    }

    private static void region(Details details, TracedCall call) {
        var region = (MemoryRegion) call.result();
        String lkey = Details.hex(region.lkey());
        details.say(call.name())
                .add("bytes", region.length(), Details.bytes(region.length()))
                .add("address", Details.hex(region.address()), "at " + Details.hex(region.address()))
                .say(Details.rights(Access.of(region.access())))
                .add("lkey", lkey, "-> lkey " + lkey);
        if (region.rkey() != 0) {
            details.addHex("rkey", Details.hex(region.rkey()));
        }
    }

    private static void bind(Details details, TracedCall call) {
        var bind = call.argument(2, MemoryWindowBind.class);
        details.say(call.name() + " on " + call.name(call.argument(0)))
                .add("wr_id", call.argument(1))
                .add("bytes", bind.length(), Details.bytes(bind.length()))
                .say("of lkey " + Details.hex(bind.region().lkey()))
                .say(Details.rights(bind.access()));
    }
}
