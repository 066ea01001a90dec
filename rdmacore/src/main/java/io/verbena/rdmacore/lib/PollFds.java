package io.verbena.rdmacore.lib;

/// An array of `struct pollfd`, by its address.
public final class PollFds {
    public static final int SIZE = 8;

    private static final int FD = 0;
    private static final int EVENTS = 4;
    private static final int RETURNED = 6;

    private PollFds() {}

    /// Makes entry `index` wait for something to read.
    public static void set(long array, int index, int fd) {
        long entry = array + (long) index * SIZE;
        Memory.putInt(entry + FD, fd);
        Memory.putShort(entry + EVENTS, Libc.POLLIN);
        Memory.putShort(entry + RETURNED, (short) 0);
    }

    /// Whether the last poll found something at entry `index`, an error included.
    public static boolean isReady(long array, int index) {
        return Memory.getShort(array + (long) index * SIZE + RETURNED) != 0;
    }
}
