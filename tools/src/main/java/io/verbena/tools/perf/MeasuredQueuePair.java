package io.verbena.tools.perf;

import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// A queue pair that is measured, with all its requests, which are made before a run begins, and its counters.
final class MeasuredQueuePair {
    private final int index;
    private final PerfParameters parameters;
    private final BufferLayout layout;
    private final MemoryRegion buffer;
    private final QueuePair qp;
    private final ReceiveRequest receive;
    private KeyLine peer;
    private AddressHandle handle;
    private int qkey;
    private SendRequest[] requests;
    private List<SendRequest> list;
    private int slot;
    private int untilSignal;

    /// Number of messages in the current run.
    long target;

    long posted;
    long completed;
    long received;

    MeasuredQueuePair(int index, PerfParameters parameters, BufferLayout layout, MemoryRegion buffer, QueuePair qp) {
        this.index = index;
        this.parameters = parameters;
        this.layout = layout;
        this.buffer = buffer;
        this.qp = qp;
        this.receive = qp.newReceiveRequest()
                .wrId(index)
                .into(buffer, layout.receiveOffset(index), layout.prefix() + layout.area());
    }

    /// @param datagramHandle the address handle of a peer that gets datagrams, with its queue key; else null
    void peer(KeyLine line, AddressHandle datagramHandle, int datagramKey) {
        this.peer = line;
        this.handle = datagramHandle;
        this.qkey = datagramKey;
    }

    QueuePair queuePair() {
        return qp;
    }

    /// Makes the requests for messages of that size, one for each slot in the buffer, and starts counting.
    void prepare(int size, long messages) {
        int slots = parameters.test().isLatency() ? 1 : layout.slots(size);
        requests = new SendRequest[slots];
        for (int i = 0; i < slots; i++) {
            requests[i] = newRequest(size, (long) i * layout.stride(size));
        }
        list = null;
        if (parameters.postList() > 1) {
            list = new ArrayList<>();
            for (int i = 0; i < parameters.postList(); i++) {
                boolean last = i == parameters.postList() - 1;
                list.add(newRequest(size, (long) (i % slots) * layout.stride(size))
                        .signaled(last));
            }
        }
        slot = 0;
        untilSignal = parameters.cqModeration();
        target = messages;
        posted = 0;
        completed = 0;
        received = 0;
    }

    private SendRequest newRequest(int size, long at) {
        long local = layout.sendOffset(index) + at;
        long remote = peer.virtualAddress() + at;
        SendRequest request = qp.newSendRequest().wrId(index);
        switch (parameters.test().verb()) {
            case SEND -> request.send();
            case WRITE -> request.write(remote, peer.rkey());
            case READ -> request.read(remote, peer.rkey());
            case ATOMIC -> {
                switch (parameters.atomicType()) {
                    case FETCH_AND_ADD -> request.fetchAndAdd(remote, peer.rkey(), 1);
                    case CMP_AND_SWAP -> request.compareAndSwap(remote, peer.rkey(), 0, 0);
                }
            }
        }
        request.from(buffer, local, size).signaled();
        if (parameters.transport() == QueuePairType.UD) {
            request.to(handle, peer.queuePair(), qkey);
        }
        return request.inline(
                size <= parameters.inlineBytes() && !parameters.test().verb().isFetch());
    }

    /// Posts one signaled request, for tests that wait for each completion; false when the queue is full.
    boolean postSignaled() {
        return qp.post(requests[0]);
    }

    /// Posts the next request of a stream, or the next list of requests; false when the queue is full. One request in
    /// [#signalEvery] is signaled, and so is the last.
    boolean postNext() {
        return list == null ? postOne() : postList();
    }

    private boolean postOne() {
        SendRequest request = requests[slot];
        boolean signal = untilSignal == 1 || posted + 1 == target;
        if (!qp.post(request.signaled(signal))) {
            return false;
        }
        posted++;
        slot = slot + 1 == requests.length ? 0 : slot + 1;
        untilSignal = signal ? parameters.cqModeration() : untilSignal - 1;
        return true;
    }

    private boolean postList() {
        int taken = qp.postSends(list);
        if (taken == 0) {
            return false;
        }
        while (taken < list.size()) { // an adapter may have fewer free slots than we count
            taken += qp.postSends(list.subList(taken, list.size()));
        }
        posted += taken;
        return true;
    }

    /// A signaled request completed, and with it all requests before it.
    void onCompletion() {
        completed = Math.min(completed + signalEvery(), posted);
    }

    /// Number of requests that one completion stands for.
    int signalEvery() {
        return list == null ? parameters.cqModeration() : list.size();
    }

    boolean mayPost() {
        int step = list == null ? 1 : list.size();
        return posted < target && posted - completed + step <= parameters.txDepth();
    }

    /// Ends a timed stream with its next signaled request.
    void endSoon() {
        int each = signalEvery();
        target = (posted + each - 1) / each * each;
    }

    boolean isDone() {
        return completed >= target;
    }

    boolean postReceive() {
        return qp.post(receive);
    }
}
