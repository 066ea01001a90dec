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
        long domain = IbVerbs.allocPd(context);
        if (domain < 0) {
            return 0;
        }
        long queue = IbVerbs.createCq(context, 1, 0, 0, 0);
        try {
            for (int bytes : TRIED) {
                if (queue > 0 && takes(domain, queue, bytes)) {
                    return bytes;
                }
            }
            return 0;
        } finally {
            if (queue > 0) {
                IbVerbs.destroyCq(queue);
            }
            IbVerbs.deallocPd(domain);
        }
    }

    private static boolean takes(long domain, long queue, int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long attr = arena.allocate(QpInitAttr.SIZE, 8).address();
            Memory.clear(attr, QpInitAttr.SIZE);
            QpInitAttr.sendCq(attr, queue);
            QpInitAttr.recvCq(attr, queue);
            QpInitAttr.qpType(attr, QueuePairType.RC.code());
            QpCap.maxSendWr(attr + QpInitAttr.CAP, 1);
            QpCap.maxRecvWr(attr + QpInitAttr.CAP, 1);
            QpCap.maxSendSge(attr + QpInitAttr.CAP, 1);
            QpCap.maxRecvSge(attr + QpInitAttr.CAP, 1);
            QpCap.maxInlineData(attr + QpInitAttr.CAP, bytes);
            long qp = IbVerbs.createQp(domain, attr);
            if (qp < 0) {
                return false;
            }
            IbVerbs.destroyQp(qp);
            return true;
        }
    }
}
