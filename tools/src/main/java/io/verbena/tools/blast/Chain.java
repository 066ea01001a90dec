package io.verbena.tools.blast;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// A part of a ring of requests as a list for `postSends` and `postReceives`: what libibverbs does with `next` of
/// `ibv_send_wr` and `ibv_recv_wr`. One object is reused for all chains, so that it allocates nothing.
final class Chain<T> extends AbstractList<T> implements RandomAccess {
    private final List<T> ring;
    private int first;
    private int length;

    Chain(List<T> ring) {
        this.ring = List.copyOf(ring);
    }

    /// The requests of the messages from `from` to before `to`; messages use the requests of the ring in turn.
    Chain<T> of(long from, long to) {
        first = (int) (from % ring.size());
        length = (int) (to - from);
        return this;
    }

    @Override
    public T get(int index) {
        int at = first + index;
        return ring.get(at < ring.size() ? at : at - ring.size());
    }

    @Override
    public int size() {
        return length;
    }
}
