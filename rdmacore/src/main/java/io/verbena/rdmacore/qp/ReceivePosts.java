package io.verbena.rdmacore.qp;

import io.verbena.verbs.ReceiveRequest;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/// A receive queue as programs see it: of a queue pair or shared.
public final class ReceivePosts extends PostQueue<ReceiveRequest> {
    private final int maxScatterGather;
    private final BooleanSupplier accepts;
    private final String refusal;

    /// @param accepts whether the queue takes receives now, with what to say when it does not
    public ReceivePosts(
            String verb,
            MemorySegment function,
            long queue,
            int maxScatterGather,
            BooleanSupplier accepts,
            String refusal) {
        super(verb, function, queue);
        this.maxScatterGather = maxScatterGather;
        this.accepts = accepts;
        this.refusal = refusal;
    }

    @Override
    protected NativeRequest prepare(ReceiveRequest request, int index) {
        if (!(request instanceof NativeReceiveRequest receive)) {
            throw foreign(request, index);
        }
        if (!accepts.getAsBoolean()) {
            throw refused(index, refusal);
        }
        if (receive.buffers.isMoreThan(maxScatterGather)) {
            throw refused(
                    index,
                    receive.bufferCount() + " buffers, the queue takes " + maxScatterGather
                            + "; ask for more with scatterGather when making it");
        }
        receive.ready();
        return receive;
    }
}
