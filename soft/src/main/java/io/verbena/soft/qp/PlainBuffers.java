package io.verbena.soft.qp;

import io.verbena.soft.mem.ScatterGather;
import io.verbena.verbs.attr.QueuePairCapabilities;

/// Which requests name one buffer, within the limits of their queue pair: what is done in the call that posts them need
/// not check more. All others are refused, or not, by [PostCheck].
final class PlainBuffers {
    private final boolean takesBuffers;
    private final int maxInline;

    PlainBuffers(QueuePairCapabilities capabilities) {
        this.takesBuffers = capabilities.maxSendScatterGather() > 0;
        this.maxInline = capabilities.maxInlineBytes();
    }

    /// Of a request that may be inline.
    boolean covers(SoftSendRequest request) {
        BufferList buffers = request.buffers;
        boolean inline = (request.flags & SendQueue.INLINE) != 0;
        return takesBuffers
                && buffers.count() == 1
                && (!inline || ScatterGather.length(buffers.lengthAndKey()) <= maxInline && buffers.memory() != null);
    }
}
