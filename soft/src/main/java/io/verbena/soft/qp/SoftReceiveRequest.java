package io.verbena.soft.qp;

import io.verbena.verbs.spi.ReceiveRequestFields;

/// A receive that is being filled in.
final class SoftReceiveRequest extends ReceiveRequestFields {
    /// The queue pair or shared receive queue that created the request. No other takes it.
    final Object maker;

    final SoftBufferList buffers;

    SoftReceiveRequest(Object maker, int maxScatterGather) {
        this(maker, new SoftBufferList(maxScatterGather));
    }

    private SoftReceiveRequest(Object maker, SoftBufferList buffers) {
        super(buffers);
        this.maker = maker;
        this.buffers = buffers;
    }
}
