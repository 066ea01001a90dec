package io.verbena.soft.engine;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import java.util.random.RandomGenerator;

/// Queue pairs by number. Owned by the engine. A number's slot is its low bits, so finding one costs the same
/// however many there are; numbers start at random and are not given again soon, so that a peer of an earlier life
/// does not match.
public final class QueuePairTable {
    private static final int FIRST_NUMBER = 16;
    private static final int LAST_NUMBER = 0xFF_FFFE;

    private final int limit;
    private ServedQueuePair[] slots = new ServedQueuePair[64];
    private int live;
    private int nextNumber;

    QueuePairTable(RandomGenerator random, int limit) {
        this.limit = limit;
        this.nextNumber = random.nextInt(FIRST_NUMBER, LAST_NUMBER);
    }

    /// Takes a queue pair in under a number whose slot is free.
    public void add(ServedQueuePair qp) {
        if (live >= limit) {
            throw new RdmaException(
                    "create queue pair", Errno.ENOMEM, "the device has " + live + " already, its limit; close some");
        }
        if (live >= slots.length / 2) {
            grow();
        }
        int mask = slots.length - 1;
        while (slots[nextNumber & mask] != null) {
            advance();
        }
        qp.number(nextNumber);
        slots[nextNumber & mask] = qp;
        live++;
        advance();
    }

    private void advance() {
        nextNumber = nextNumber == LAST_NUMBER ? FIRST_NUMBER : nextNumber + 1;
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
