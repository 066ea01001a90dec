package io.verbena.soft.engine;

import io.verbena.soft.shard.ShardNumbers;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;

/// Queue pairs by number. Owned by the engine. A number's slot is its low bits, so finding one costs the same however
/// many there are. Numbers come from [ShardNumbers]: they are unpredictable, and not reused soon, so that packets
/// for a closed queue pair do not match a new one.
public final class QueuePairTable {
    private static final int FIRST_NUMBER = 16;
    private static final int LAST_NUMBER = 0xFF_FFFE;

    private final int limit;
    private final ShardNumbers numbers;
    private ServedQueuePair[] slots = new ServedQueuePair[64];
    /// Read from any thread.
    private volatile int live;

    QueuePairTable(ShardNumbers numbers, int limit) {
        this.limit = limit;
        this.numbers = numbers;
    }

    int limit() {
        return limit;
    }

    /// Adds a queue pair under a number whose slot is free.
    public void add(ServedQueuePair qp) {
        if (live >= limit) {
            throw new RdmaException(
                    "create queue pair", Errno.ENOMEM, "the device has " + live + " already, its limit; close some");
        }
        if (live >= slots.length / 2) {
            grow();
        }
        int number = freeNumber();
        qp.number(number);
        slots[number & slots.length - 1] = qp;
        live++;
    }

    /// At least half of the table is free, so this takes at most two attempts on average.
    private int freeNumber() {
        int mask = slots.length - 1;
        int number;
        do {
            number = numbers.nextQueuePair();
        } while (number < FIRST_NUMBER || number > LAST_NUMBER || slots[number & mask] != null);
        return number;
    }

    public void remove(ServedQueuePair qp) {
        int slot = qp.number() & slots.length - 1;
        if (slots[slot] == qp) {
            slots[slot] = null;
            live--;
        }
    }

    public ServedQueuePair find(int number) {
        ServedQueuePair qp = slots[number & slots.length - 1];
        return qp != null && qp.number() == number ? qp : null;
    }

    public int size() {
        return live;
    }

    private void grow() {
        ServedQueuePair[] old = slots;
        slots = new ServedQueuePair[old.length * 2];
        for (ServedQueuePair qp : old) {
            if (qp != null) {
                slots[qp.number() & slots.length - 1] = qp;
            }
        }
    }
}
