package io.verbena.tools.trace;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.RemoteBuffer;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// What a program has set in a send or receive request. Requests have no getters, so their setters are recorded.
final class RequestNote {
    /// Methods of a send request that set its operation.
    private static final Map<String, Operation> OPERATIONS = Map.ofEntries(
            Map.entry("send", Operation.SEND),
            Map.entry("sendWithImmediate", Operation.SEND_WITH_IMMEDIATE),
            Map.entry("sendWithInvalidate", Operation.SEND_WITH_INVALIDATE),
            Map.entry("write", Operation.RDMA_WRITE),
            Map.entry("writeWithImmediate", Operation.RDMA_WRITE_WITH_IMMEDIATE),
            Map.entry("read", Operation.RDMA_READ),
            Map.entry("compareAndSwap", Operation.COMPARE_AND_SWAP),
            Map.entry("fetchAndAdd", Operation.FETCH_AND_ADD),
            Map.entry("atomicWrite", Operation.ATOMIC_WRITE),
            Map.entry("flush", Operation.FLUSH),
            Map.entry("flushRegion", Operation.FLUSH),
            Map.entry("localInvalidate", Operation.LOCAL_INVALIDATE),
            Map.entry("bindMemoryWindow", Operation.BIND_MEMORY_WINDOW));

    private static final Set<String> FLAGS = Set.of("signaled", "solicited", "fenced", "inline");

    private final Set<String> flags = new LinkedHashSet<>();
    private Operation operation;
    private long wrId;
    private long bytes;
    private int slices;
    private int lkey;
    private RemoteBuffer remote;
    private Integer immediate;
    private Integer revoked;
    private String words = "";
    private Integer toQp;

    /// Records a call of a method of the request.
    void record(String method, Object[] arguments) {
        Object[] values = arguments == null ? new Object[0] : arguments;
        if (OPERATIONS.containsKey(method)) {
            operation(OPERATIONS.get(method), values);
        } else if (FLAGS.contains(method)) {
            flag(method, values.length == 0 || (boolean) values[0]);
        } else {
            part(method, values);
        }
    }

    private void flag(String name, boolean isSet) {
        if (isSet) {
            flags.add(name);
        } else {
            flags.remove(name);
        }
    }

    private void part(String method, Object[] values) {
        switch (method) {
            case "wrId" -> wrId = values.length == 0 ? wrId : (long) values[0];
            case "unsignaled" -> flag("signaled", false);
            case "immediate" -> immediate = (int) values[0];
            case "remote" -> remote = new RemoteBuffer((long) values[0], 0, (int) values[1]);
            case "from", "into" -> slice(true, (long) values[2], ((MemoryRegion) values[0]).lkey());
            case "and" -> slice(false, (long) values[2], ((MemoryRegion) values[0]).lkey());
            case "fromAddress", "intoAddress" -> slice(true, (long) values[1], (int) values[2]);
            case "andAddress" -> slice(false, (long) values[1], (int) values[2]);
            case "fromInline" -> {
                slice(true, ((MemorySegment) values[0]).byteSize(), 0);
                flag("inline", true);
            }
            case "empty" -> {
                bytes = 0;
                slices = 0;
            }
            case "to" -> toQp = (int) values[1];
            default -> {} // what is new is handed on all the same
        }
    }

    private void slice(boolean isFirst, long length, int key) {
        bytes = isFirst ? length : bytes + length;
        slices = isFirst ? 1 : slices + 1;
        lkey = isFirst ? key : lkey;
    }

    private void operation(Operation what, Object[] values) {
        operation = what;
        remote = null;
        immediate = null;
        revoked = null;
        words = "";
        // The remote place is a buffer, or an address and a key; further arguments of the operation follow it.
        int rest = 0;
        if (values.length > 0 && values[0] instanceof RemoteBuffer buffer) {
            remote = buffer;
            rest = 1;
        } else if (values.length > 1 && values[0] instanceof Long address) {
            remote = new RemoteBuffer(address, 0, (int) values[1]);
            rest = 2;
        }
        switch (what) {
            case SEND_WITH_IMMEDIATE, RDMA_WRITE_WITH_IMMEDIATE -> immediate = (int) values[rest];
            case SEND_WITH_INVALIDATE, LOCAL_INVALIDATE -> revoked = (int) values[0];
            case COMPARE_AND_SWAP -> words = "compare " + values[rest] + " swap " + values[rest + 1];
            case FETCH_AND_ADD -> words = "add " + values[rest];
            case BIND_MEMORY_WINDOW -> words = Details.bytes((long) values[4]) + " under rkey " + hex(values[1]);
            case FLUSH -> words = remote == null ? "all of rkey " + hex(values[0]) : "";
            default -> {}
        }
    }

    long wrId() {
        return wrId;
    }

    void describeSend(Details details) {
        details.add("wr_id", wrId);
        details.add("operation", String.valueOf(operation), operation == null ? "no operation" : name(operation));
        if (movesBytes()) {
            details.add("bytes", bytes, Details.bytes(bytes));
        }
        details.say(words);
        if (slices > 0 && !flags.contains("inline")) {
            details.add(
                    "lkey", Details.hex(lkey), (brings() ? "into lkey " : "from lkey ") + Details.hex(lkey) + more());
        }
        if (remote != null) {
            String place = Details.hex(remote.address());
            details.add("remote", place, preposition() + place);
            details.addHex("rkey", remote.rkey());
        }
        if (immediate != null) {
            details.addHex("immediate", immediate);
        }
        if (revoked != null) {
            details.add("revoked", Details.hex(revoked), "rkey " + Details.hex(revoked));
        }
        if (toQp != null) {
            details.add("to_qp", toQp, "to " + Details.queuePair(toQp));
        }
        flags.forEach(flag -> details.flag(flag, true));
    }

    void describeReceive(Details details) {
        details.add("wr_id", wrId).add("bytes", bytes, Details.bytes(bytes));
        if (slices > 0) {
            details.add("lkey", Details.hex(lkey), "into lkey " + Details.hex(lkey) + more());
        }
    }

    private boolean movesBytes() {
        return operation != Operation.LOCAL_INVALIDATE
                && operation != Operation.BIND_MEMORY_WINDOW
                && operation != Operation.FLUSH;
    }

    private boolean brings() {
        return operation == Operation.RDMA_READ
                || operation == Operation.COMPARE_AND_SWAP
                || operation == Operation.FETCH_AND_ADD;
    }

    private String preposition() {
        return switch (operation) {
            case null -> "at ";
            case RDMA_READ -> "from ";
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, ATOMIC_WRITE -> "to ";
            default -> "at ";
        };
    }

    private String more() {
        return slices == 1 ? "" : " and " + (slices - 1) + " more";
    }

    private static String hex(Object key) {
        return Details.hex((int) key);
    }

    /// The name of an operation for people: `SEND`, `RDMA WRITE`, `SEND WITH IMMEDIATE`.
    static String name(Enum<?> operation) {
        return operation.name().replace('_', ' ').toUpperCase(Locale.ROOT);
    }
}
