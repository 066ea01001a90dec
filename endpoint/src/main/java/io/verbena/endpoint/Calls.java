package io.verbena.endpoint;

import java.util.ArrayList;
import java.util.List;

/// The calls of a connection that have no answer yet. A call's number, modulo the length of the table, is its place
/// there. Safe from any thread.
final class Calls {
    private static final int MOST = 1 << 16;

    private Pending[] table = {};
    private long numbers;
    private int open;

    /// The number of a new call; 0 when there are too many.
    synchronized long add(Pending call) {
        if (open == table.length && !grow()) {
            return 0;
        }
        do {
            numbers++;
        } while (table[place(numbers)] != null);
        call.number(numbers);
        table[place(numbers)] = call;
        open++;
        return numbers;
    }

    private int place(long number) {
        return (int) number & table.length - 1;
    }

    /// Numbers with different places have different ones in a table of twice the length, too.
    private boolean grow() {
        if (table.length == MOST) {
            return false;
        }
        Pending[] before = table;
        table = new Pending[Math.max(16, 2 * before.length)];
        for (Pending call : before) {
            if (call != null) {
                table[place(call.number())] = call;
            }
        }
        return true;
    }

    /// The call that is answered or given up; null when there is none such any more.
    synchronized Pending remove(long number) {
        Pending call = table.length == 0 ? null : table[place(number)];
        if (call == null || call.number() != number) {
            return null;
        }
        table[place(number)] = null;
        open--;
        return call;
    }

    void fail(RuntimeException reason) {
        List<Pending> failed = new ArrayList<>();
        synchronized (this) {
            for (int i = 0; i < table.length; i++) {
                if (table[i] != null) {
                    failed.add(table[i]);
                    table[i] = null;
                }
            }
            open = 0;
        }
        failed.forEach(call -> call.finish(reason));
    }
}
