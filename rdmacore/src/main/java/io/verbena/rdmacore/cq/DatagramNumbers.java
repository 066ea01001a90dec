package io.verbena.rdmacore.cq;

import java.util.Arrays;

/// The numbers of the datagram queue pairs that report to a queue. Read often, rarely changed.
public final class DatagramNumbers {
    private volatile int[] numbers = {};

    DatagramNumbers() {}

    public synchronized void add(int number) {
        int[] more = Arrays.copyOf(numbers, numbers.length + 1);
        more[numbers.length] = number;
        numbers = more;
    }

    public synchronized void remove(int number) {
        numbers = Arrays.stream(numbers).filter(n -> n != number).toArray();
    }

    boolean contains(int number) {
        for (int n : numbers) {
            if (n == number) {
                return true;
            }
        }
        return false;
    }
}
