package io.verbena.tools.program;

import io.verbena.report.Json;
import io.verbena.tools.text.AddressText;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.cm.ConnectionId;
import java.net.InetSocketAddress;
import java.util.Map;

/// The result of one connection, for `--json`: both addresses, the values of the program, and whether all went well. It
/// is filled in during the run, so that it can be printed whenever the run ends.
public class Result {
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

    /// Records the addresses of both ends.
    public final void connected(ConnectionId id) {
        connected(id.context().device().name(), id.localAddress(), id.peerAddress());
    }

    /// Records the addresses of both ends.
    public final void connected(String device, InetSocketAddress local, InetSocketAddress peer) {
        this.device = device;
        this.local = AddressText.of(local);
        this.peer = AddressText.of(peer);
    }

    /// Adds a value of the program, or replaces the one of that name.
    public final Result put(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /// Records why the run ended. Ctrl-C is no error, but `ok` is false then, too.
    public final void failed(RuntimeException reason) {
        if (isInterrupt(reason)) {
            stopped = true;
        } else {
            error = String.valueOf(reason.getMessage());
        }
    }

    /// Runs a connection. However it ends, the result knows that when `print` prints it.
    public final void during(Runnable connection, Runnable print) {
        try {
            connection.run();
        } catch (RuntimeException e) {
            failed(e);
            throw e;
        } finally {
            print.run();
        }
    }

    /// Whether an exception only means that the program was stopped.
    public static boolean isInterrupt(RuntimeException e) {
        return e instanceof RdmaException rdma && rdma.errno() == Errno.EINTR;
    }

    /// What a wait throws when Ctrl-C or the end of the server interrupts it.
    ///
    /// @param wait what was waited for, e.g. `wait for the peer`
    public static RdmaException interrupt(String wait) {
        return new RdmaException(wait, Errno.EINTR, "the thread was interrupted");
    }

    public final boolean isClient() {
        return role.equals("client");
    }

    /// Whether the run failed, so far. One that was stopped did not.
    public final boolean hasFailed() {
        return !error.isEmpty();
    }

    /// Whether the run was stopped, so far.
    public final boolean isStopped() {
        return stopped;
    }

    /// `ADDRESS:PORT` of the peer.
    public final String peer() {
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
}
