package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.conformance.bench.LinkEnd;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.Violation;
import io.verbena.conformance.transfer.ErrorRow.Ending;
import io.verbena.verbs.Keys;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.MemoryWindow;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// The rows of the table of errors.
final class ErrorRows {
    /// Of the regions that requests name.
    static final int LENGTH = 8192;

    static final Access[] RIGHTS = {Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC};

    private static final int BYTES = 64;
    private static final LinkOptions RC = LinkOptions.DEFAULT.access(RIGHTS).rnr(1, 1);
    private static final LinkOptions UC = RC.type(QueuePairType.UC);

    private ErrorRows() {}

    static List<ErrorRow> all() {
        List<ErrorRow> rows = new ArrayList<>();
        rows.addAll(ownBufferRows());
        rows.addAll(remoteMemoryRows());
        rows.addAll(receiveRows());
        rows.addAll(otherRows());
        return rows;
    }

    private static List<ErrorRow> ownBufferRows() {
        List<ErrorRow> rows = new ArrayList<>();
        for (Operate operate : Operate.values()) {
            boolean brings = operate.brings();
            String rule = brings ? "TAB-5" : "TAB-4";
            Violation key = brings ? Violation.READ_BUFFER : Violation.SEND_BUFFER_KEY;
            Violation range = brings ? Violation.READ_BUFFER : Violation.SEND_BUFFER_RANGE;
            rows.add(new ErrorRow(
                    rule,
                    operate + " with a wrong local key",
                    RC,
                    key,
                    Ending.LOCAL,
                    (l, r, n, f) -> operate.on(r, f.address(), f.rkey())
                            .fromAddress(n.address(), operate.bytes(), n.lkey() ^ 1)));
            rows.add(new ErrorRow(
                    rule,
                    operate + " beyond its own region",
                    RC,
                    range,
                    Ending.LOCAL,
                    (l, r, n, f) -> operate.on(r, f.address(), f.rkey())
                            .fromAddress(n.address() + LENGTH - operate.bytes() + 1, operate.bytes(), n.lkey())));
            rows.add(new ErrorRow(rule, operate + " of another domain", RC, key, Ending.LOCAL, (l, r, n, f) -> {
                LinkEnd end = l.left();
                MemoryRegion stranger = end.side().keep(end.side().otherPd().allocate(LENGTH, Access.LOCAL_WRITE));
                return operate.on(r, f.address(), f.rkey()).from(stranger, 0, operate.bytes());
            }));
            if (brings) {
                rows.add(new ErrorRow(
                        rule,
                        operate + " into what cannot be written",
                        RC,
                        key,
                        Ending.LOCAL,
                        (l, r, n, f) -> operate.on(r, f.address(), f.rkey())
                                .from(l.left().side().memory(LENGTH, Access.REMOTE_READ), 0, operate.bytes())));
            }
        }
        return rows;
    }

    private static List<ErrorRow> remoteMemoryRows() {
        List<ErrorRow> rows = new ArrayList<>();
        Violation memory = Violation.REMOTE_MEMORY;
        for (Operate operate : Operate.remote()) {
            int bytes = operate.bytes();
            rows.add(new ErrorRow(
                    "TAB-1",
                    operate + " with a wrong key",
                    RC,
                    memory,
                    Ending.REMOTE,
                    (l, r, n, f) -> operate.on(r, f.address(), f.rkey() ^ 1).from(n, 0, bytes)));
            rows.add(new ErrorRow(
                    "TAB-1",
                    operate + " out of range",
                    RC,
                    memory,
                    Ending.REMOTE,
                    (l, r, n, f) ->
                            operate.on(r, f.address() + LENGTH, f.rkey()).from(n, 0, bytes)));
            rows.add(new ErrorRow(
                    "TAB-1", operate + " without the region's right", RC, memory, Ending.REMOTE, (l, r, n, f) -> {
                        MemoryRegion closed = l.right().side().memory(LENGTH, Access.LOCAL_WRITE);
                        return operate.on(r, closed.address(), closed.lkey()).from(n, 0, bytes);
                    }));
            rows.add(new ErrorRow("TAB-1", operate + " in another domain", RC, memory, Ending.REMOTE, (l, r, n, f) -> {
                LinkEnd end = l.right();
                MemoryRegion stranger = end.side().keep(end.side().otherPd().allocate(LENGTH, RIGHTS));
                return operate.on(r, stranger.address(), stranger.rkey()).from(n, 0, bytes);
            }));
            rows.addAll(queuePairRows(operate, bytes));
        }
        rows.add(new ErrorRow(
                "TAB-1",
                "WRITE through a revoked window",
                RC,
                memory,
                Ending.REMOTE,
                (l, r, n, f) -> r.write(f.address(), revokedWindow(l)).from(n, 0, BYTES)));
        return rows;
    }

    /// Rights that the queue pairs do not grant, and wrong memory on an unreliable connection.
    private static List<ErrorRow> queuePairRows(Operate operate, int bytes) {
        List<ErrorRow> rows = new ArrayList<>();
        Violation memory = Violation.REMOTE_MEMORY;
        rows.add(new ErrorRow(
                "TAB-2",
                operate + " without the queue pair's right",
                RC.access(Access.LOCAL_WRITE),
                Violation.REMOTE_QUEUE_PAIR_RIGHT,
                Ending.REMOTE,
                (l, r, n, f) -> operate.on(r, f.address(), f.rkey()).from(n, 0, bytes)));
        if (operate.brings()) {
            rows.add(new ErrorRow(
                    "TAB-3",
                    operate + " from a peer that serves none",
                    RC.reads(1, 0),
                    Violation.NO_READ_RESOURCES,
                    Ending.REMOTE,
                    (l, r, n, f) -> operate.on(r, f.address(), f.rkey()).from(n, 0, bytes)));
        } else {
            rows.add(new ErrorRow(
                    "TAB-17",
                    operate + " with a wrong key",
                    UC,
                    memory,
                    Ending.SILENT,
                    (l, r, n, f) -> operate.on(r, f.address(), f.rkey() ^ 1).from(n, 0, bytes)));
            rows.add(new ErrorRow(
                    "TAB-17",
                    operate + " out of range",
                    UC,
                    memory,
                    Ending.SILENT,
                    (l, r, n, f) ->
                            operate.on(r, f.address() + LENGTH, f.rkey()).from(n, 0, bytes)));
        }
        return rows;
    }

    /// The key of a window of the right side that was bound and revoked.
    private static int revokedWindow(QueuePairLink link) {
        LinkEnd end = link.right();
        MemoryRegion region = end.side().memory(LENGTH, Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
        MemoryWindow window = end.side().keep(end.side().pd().allocateMemoryWindow(MemoryWindowType.TYPE_2));
        int key = Keys.increment(window.rkey());
        end.post(end.request(70).bindMemoryWindow(window, key, region, region.address(), LENGTH, Access.REMOTE_WRITE));
        end.sent(70);
        end.post(end.request(71).localInvalidate(key));
        end.sent(71);
        return key;
    }

    private static List<ErrorRow> receiveRows() {
        List<ErrorRow> rows = new ArrayList<>();
        rows.add(new ErrorRow(
                "TAB-6", "SEND into a wrong key", RC, Violation.RECEIVE_BUFFER, Ending.REMOTE, (l, r, n, f) -> {
                    receive(l, f.address(), BYTES, f.lkey() ^ 1);
                    return r.send().from(n, 0, BYTES);
                }));
        rows.add(new ErrorRow(
                "TAB-6", "SEND beyond a region", RC, Violation.RECEIVE_BUFFER, Ending.REMOTE, (l, r, n, f) -> {
                    receive(l, f.address() + LENGTH - BYTES + 1, BYTES, f.lkey());
                    return r.send().from(n, 0, BYTES);
                }));
        rows.add(new ErrorRow(
                "TAB-6",
                "SEND into what cannot be written",
                RC,
                Violation.RECEIVE_BUFFER,
                Ending.REMOTE,
                (l, r, n, f) -> {
                    MemoryRegion readOnly = l.right().side().memory(LENGTH, Access.REMOTE_READ);
                    receive(l, readOnly.address(), BYTES, readOnly.lkey());
                    return r.send().from(n, 0, BYTES);
                }));
        rows.add(new ErrorRow(
                "TAB-7",
                "SEND into too small a receive",
                RC,
                Violation.RECEIVE_TOO_SMALL,
                Ending.REMOTE,
                (l, r, n, f) -> {
                    MemoryRegion inbox = l.right().side().memory(LENGTH);
                    receive(l, inbox.address(), BYTES - 1, inbox.lkey());
                    return r.send().from(n, 0, BYTES);
                }));
        rows.add(new ErrorRow(
                "TAB-12",
                "SEND that finds no receive",
                RC,
                Violation.NO_RECEIVE,
                Ending.GIVEN_UP,
                (l, r, n, f) -> r.send().from(n, 0, BYTES)));
        rows.add(new ErrorRow(
                "TAB-12",
                "WRITE with immediate that finds no receive",
                RC,
                Violation.NO_RECEIVE,
                Ending.GIVEN_UP,
                (l, r, n, f) -> r.writeWithImmediate(0, 0, 1).empty()));
        rows.add(new ErrorRow(
                "TAB-17",
                "SEND that finds no receive",
                UC,
                Violation.NO_RECEIVE,
                Ending.SILENT,
                (l, r, n, f) -> r.send().from(n, 0, BYTES)));
        return rows;
    }

    private static void receive(QueuePairLink link, long address, int length, int lkey) {
        LinkEnd right = link.right();
        assertTrue(right.qp().post(right.qp().newReceiveRequest().wrId(1).intoAddress(address, length, lkey)));
    }

    private static List<ErrorRow> otherRows() {
        return List.of(
                new ErrorRow(
                        "TAB-10",
                        "atomic on a word that is not aligned",
                        RC,
                        Violation.UNALIGNED_ATOMIC,
                        Ending.REFUSED_OR_REMOTE,
                        (l, r, n, f) ->
                                r.fetchAndAdd(f.address() + 4, f.rkey(), 1).into(n, 0, 8)),
                new ErrorRow(
                        "TAB-11",
                        "atomic into less than a word",
                        RC,
                        Violation.UNALIGNED_ATOMIC,
                        Ending.REFUSED,
                        (l, r, n, f) -> r.fetchAndAdd(f.address(), f.rkey(), 1).into(n, 0, 4)),
                new ErrorRow(
                        "TAB-13",
                        "SEND to a peer that is gone",
                        RC.retries(8, 2),
                        Violation.SILENT_PEER,
                        Ending.GIVEN_UP,
                        (l, r, n, f) -> {
                            l.right().to(QueuePairState.RESET);
                            return r.send().from(n, 0, BYTES);
                        }),
                new ErrorRow(
                        "TAB-15",
                        "window on a region that grants none",
                        RC,
                        Violation.WINDOW_BINDING,
                        Ending.LOCAL,
                        (l, r, n, f) -> {
                            MemoryWindow window = l.left()
                                    .side()
                                    .keep(l.left().side().pd().allocateMemoryWindow(MemoryWindowType.TYPE_2));
                            return r.bindMemoryWindow(
                                    window, Keys.increment(window.rkey()), n, n.address(), BYTES, Access.REMOTE_WRITE);
                        }));
    }

    /// The operations that name memory, in one shape.
    private enum Operate {
        SEND,
        WRITE,
        READ,
        SWAP,
        ADD;

        static List<Operate> remote() {
            return List.of(WRITE, READ, SWAP, ADD);
        }

        boolean brings() {
            return this == READ || this == SWAP || this == ADD;
        }

        int bytes() {
            return this == SWAP || this == ADD ? 8 : BYTES;
        }

        SendRequest on(SendRequest request, long address, int rkey) {
            return switch (this) {
                case SEND -> request.send();
                case WRITE -> request.write(address, rkey);
                case READ -> request.read(address, rkey);
                case SWAP -> request.compareAndSwap(address, rkey, 1, 2);
                case ADD -> request.fetchAndAdd(address, rkey, 1);
            };
        }
    }
}
