package io.verbena.rdmacore;

import io.verbena.rdmacore.layout.QpCap;
import io.verbena.rdmacore.layout.QpInitAttr;
import io.verbena.rdmacore.lib.IbVerbs;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.Arena;

/// The most inline bytes of a device. No call returns it, so it is found as C programs do: by trying to make a queue
/// pair, which is never used.
final class InlineLimit {
    private static final int[] TRIED = {1024, 512, 256, 220, 128, 64, 32};

    private InlineLimit() {}

    /// 0 when nothing else works.
    static int probe(long context) {
        long domain = IbVerbs.LIB.allocPd(context);
        if (domain < 0) {
            return 0;
        }
        long queue = IbVerbs.LIB.createCq(context, 1, 0, 0, 0);
        try {
            for (int bytes : TRIED) {
                if (queue > 0 && takes(domain, queue, bytes)) {
                    return bytes;
                }
            }
            return 0;
        } finally {
            if (queue > 0) {
                IbVerbs.LIB.destroyCq(queue);
            }
            IbVerbs.LIB.deallocPd(domain);
        }
    }

    private static boolean takes(long domain, long queue, int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpInitAttr.SIZE, 8).address();
            Memory.clear(attr, QpInitAttr.SIZE);
            QpInitAttr.SEND_CQ.set(attr, queue);
            QpInitAttr.RECV_CQ.set(attr, queue);
            QpInitAttr.QP_TYPE.set(attr, QueuePairType.RC.code());
            QpCap.MAX_SEND_WR.set(attr + QpInitAttr.CAP, 1);
            QpCap.MAX_RECV_WR.set(attr + QpInitAttr.CAP, 1);
            QpCap.MAX_SEND_SGE.set(attr + QpInitAttr.CAP, 1);
            QpCap.MAX_RECV_SGE.set(attr + QpInitAttr.CAP, 1);
            QpCap.MAX_INLINE_DATA.set(attr + QpInitAttr.CAP, bytes);
            long qp = IbVerbs.LIB.createQp(domain, attr);
            if (qp < 0) {
                return false;
            }
            IbVerbs.LIB.destroyQp(qp);
            return true;
        }
    }
}
