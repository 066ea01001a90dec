package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.tools.text.Json;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.util.Map;

/// What one connection came to, for `--json`: who talked to whom, the values that the program puts in, and whether all
/// went well. Filled in while it runs, so that there is something to print whenever it ends.
public final class Result {
    private final Map<String, Object> values = Json.object();
    private final String role;
    private String device = "";
    private String local = "";
    private String peer = "";
    private boolean stopped;
    private String error = "";

    /// @param role "client" or "server"
    public Result(String role) {
        this.role = role;
    }

    /// Notes the names of both ends.
    public void connected(ConnectionId id) {
        connected(id.context().device().name(), id.localAddress(), id.peerAddress());
    }

    /// Notes the names of both ends.
    public void connected(String device, InetSocketAddress local, InetSocketAddress peer) {
        this.device = device;
        this.local = text(local);
        this.peer = text(peer);
    }

    /// A value of the program's own; the last one of a name counts.
    public Result put(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /// Ctrl-C is no error, but what was asked for is not done.
    public void failed(RuntimeException reason) {
        if (isInterrupt(reason)) {
            stopped = true;
        } else {
            error = String.valueOf(reason.getMessage());
        }
    }

    /// Whether an exception only says that the program was told to stop.
    public static boolean isInterrupt(RuntimeException e) {
        return e instanceof RdmaException rdma && rdma.errno() == Errno.EINTR;
    }

    /// `ADDRESS:PORT` of the other side.
    public String peer() {
        return peer;
    }

    public Map<String, Object> json() {
        Map<String, Object> all = Json.object("role", role, "device", device, "local", local, "peer", peer);
        all.putAll(values);
        all.put("stopped", stopped);
        all.put("ok", error.isEmpty());
        all.put("error", error);
        return all;
    }

    /// As people write it: `127.0.0.1:7471`, `[::1]:7471`.
    public static String text(InetSocketAddress address) {
        String host = AddressText.of(address.getAddress());
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
