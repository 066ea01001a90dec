package io.verbena.soft.os;

/// What a thread that sleeps in `poll` or `epoll` needs of a bell in order to be woken by it.
public interface Doorbell {
    /// The descriptor that is readable from a ring on until it is silenced. Valid between [#hold] and [#release].
    int fd();

    /// Keeps the descriptor open until [#release]; false once closed, and then nothing is to be released.
    boolean hold();

    void release();

    /// Forgets all rings so far.
    void silence();
}
