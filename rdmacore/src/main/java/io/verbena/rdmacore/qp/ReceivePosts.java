package io.verbena.rdmacore.qp;

import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.spi.PostRules;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/// A receive queue as programs see it: of a queue pair or shared.
final class ReceivePosts extends PostQueue<ReceiveRequest> {
    private final int maxScatterGather;
    private final String option;
    private final BooleanSupplier accepts;
    private final String refusal;

    /// @param option the option that says how many buffers a receive may have
    /// @param accepts whether the queue takes receives now, with what to say when it does not
    ReceivePosts(
            String verb,
            MemorySegment function,
            long queue,
            int maxScatterGather,
            String option,
            BooleanSupplier accepts,
            String refusal) {
        super(verb, function, queue);
        this.maxScatterGather = maxScatterGather;
        this.option = option;
        this.accepts = accepts;
        this.refusal = refusal;
    }

    @Override
    boolean isReady() {
        return accepts.getAsBoolean();
    }

    @Override
    RequestStruct approved(ReceiveRequest request) {
        return request instanceof NativeReceiveRequest receive
                        && receive.struct.hasAllBuffers()
                        && receive.struct.encodedBuffers <= maxScatterGather
                ? receive.struct
                : null;
    }

    @Override
    RequestStruct check(ReceiveRequest request, int index) {
        if (!(request instanceof NativeReceiveRequest receive)) {
            throw refused(index, PostRules.foreign(request));
        }
        String tooMany = PostRules.tooMany(receive.struct.buffers, maxScatterGather, option);
        if (tooMany != null || !isReady()) {
            throw refused(index, isReady() ? tooMany : refusal);
        }
        receive.encode();
        return receive.struct;
    }
}
