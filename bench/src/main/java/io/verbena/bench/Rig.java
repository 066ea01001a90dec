package io.verbena.bench;

import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.WorkCompletionHandler;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import java.util.ArrayList;
import java.util.List;

/// Verbena's objects on top of the stub, which must be loaded already: a queue pair ready to send.
public final class Rig implements AutoCloseable {
    private static final int CHAIN = Scenario.CHAIN;

    private final Context context;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final SendRequest write;
    private final List<SendRequest> writes = new ArrayList<>();
    private final ReceiveRequest receive;
    private final WorkCompletionHandler onCompletion = this::onCompletion;
    private long count;
    private long sum;

    public Rig() {
        context = Rdma.provider("rdmacore").devices().getFirst().open();
        ProtectionDomain pd = context.allocateProtectionDomain();
        cq = context.createCompletionQueue(256);
        MemoryRegion memory = pd.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        qp = pd.createQueuePair(QueuePairOptions.rc(cq));
        qp.modify(QueuePairChange.toInit());
        qp.modify(QueuePairChange.toRtr(AddressVector.to(new Gid(0, 0)), 17, 0));
        qp.modify(QueuePairChange.toRts(0));
        write = newWrite(memory);
        for (int i = 0; i < CHAIN; i++) {
            writes.add(newWrite(memory));
        }
        receive = qp.newReceiveRequest().into(memory, 0, 64);
    }

    private SendRequest newWrite(MemoryRegion memory) {
        return qp.newSendRequest().write(4096, 0x1100).from(memory, 0, 64).signaled();
    }

    private void onCompletion(WorkCompletion completion) {
        sum += completion.isSuccess() ? completion.wrId() : 0;
    }

    private long remoteAddress() {
        return 4096 + 64 * (count & 63);
    }

    /// Patches one WRITE and posts it.
    public boolean postSend() {
        count++;
        return qp.post(write.wrId(count).remote(remoteAddress(), 0x1100));
    }

    /// Patches eight WRITEs and posts them in one call.
    public int postEightSends() {
        count++;
        for (int i = 0; i < CHAIN; i++) {
            writes.get(i).wrId(count).remote(remoteAddress(), 0x1100);
        }
        return qp.postSends(writes);
    }

    public boolean postReceive() {
        return qp.post(receive.wrId(count++));
    }

    /// Polls for up to eight completions.
    public long poll() {
        return cq.poll(onCompletion, CHAIN) + sum;
    }

    @Override
    public void close() {
        context.closeAll();
    }
}
