package io.verbena.tools.perf;

import io.verbena.tools.program.CompletionLoop;
import io.verbena.tools.program.Owned;
import io.verbena.tools.program.Waiting;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionParameters;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The side channel of `-R`: a reliable queue pair of the connection manager beside those that are measured. perftest's
/// programs make each exchange with one SEND. A C peer has one receive posted, of the size of its key struct, and posts
/// it again before it answers. A longer message, which only Verbena sends, is split into parts of that size.
final class ManagedLink implements PeerLink {
    /// Size of a key struct: the longest message of a C peer.
    static final int LONGEST = KeyStruct.BYTES;

    /// The parameters of both sides: no READs, seven retries, infinite RNR retry.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(0, 0).withRetries(7, 7);

    /// A C peer sends one message ahead. A Verbena peer that sends more waits for an RNR retry.
    private static final int RECEIVES = 16;

    private static final long SEND_AT = (long) RECEIVES * LONGEST;
    private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(5);

    private final ConnectionId id;
    private final Duration patience;
    private final Owned owned = new Owned();
    private final CompletionQueue receiveCq;
    private final Waiting waiting;
    private final CompletionLoop.Peer peer;
    private final CompletionQueue sendCq;
    private final MemoryRegion memory;
    private final QueuePair qp;
    private final ReceiveRequest[] receives = new ReceiveRequest[RECEIVES];
    private final CountDownLatch readerDone = new CountDownLatch(1);
    private volatile boolean closing;
    private byte[] into;
    private int length;
    private CompletionStatus failure;

    /// Connects an id whose address and route are resolved. The caller closes the id, after this link.
    static ManagedLink connect(ConnectionId id, SessionSettings settings) {
        return established(id, settings, () -> id.connect(PARAMETERS));
    }

    /// Accepts a request. The caller closes its id, after this link.
    static ManagedLink accept(ConnectionId request, SessionSettings settings) {
        return established(request, settings, () -> request.accept(PARAMETERS));
    }

    private static ManagedLink established(ConnectionId id, SessionSettings settings, Runnable step) {
        id.timeout(settings.step());
        var link = new ManagedLink(id, settings.step());
        try {
            step.run();
            return link;
        } catch (RuntimeException e) {
            link.owned.close();
            throw e;
        }
    }

    /// Creates the queue pair and posts its receives before the connection exists, so that no message is lost.
    private ManagedLink(ConnectionId id, Duration patience) {
        this.id = id;
        this.patience = patience;
        this.peer = CompletionLoop.Peer.of(id);
        try {
            Context context = id.context();
            receiveCq =
                    owned.add(context.createCompletionQueue(RECEIVES, owned.add(context.createCompletionChannel())));
            waiting = Waiting.notified(receiveCq);
            sendCq = owned.add(context.createCompletionQueue(1));
            memory = owned.add(id.protectionDomain().allocate(SEND_AT + LONGEST, Access.LOCAL_WRITE));
            qp = owned.add(id.createQueuePair(
                    id.protectionDomain(),
                    QueuePairOptions.of(QueuePairType.RC, sendCq, receiveCq)
                            .sendRequests(1)
                            .receiveRequests(RECEIVES)
                            .scatterGather(1, 1)));
            for (int i = 0; i < RECEIVES; i++) {
                receives[i] = qp.newReceiveRequest().wrId(i).into(memory, (long) i * LONGEST, LONGEST);
                qp.post(receives[i]);
            }
        } catch (RuntimeException e) {
            owned.close();
            throw e;
        }
    }

    @Override
    public String peer() {
        return String.valueOf(id.peerAddress());
    }

    @Override
    public void send(byte[] message) throws IOException {
        for (int at = 0; at < message.length; at += LONGEST) {
            sendPart(message, at, Math.min(LONGEST, message.length - at));
        }
    }

    /// As in C, waits for the acknowledgement: after it the buffer is free, and closing loses nothing.
    private void sendPart(byte[] message, int at, int count) throws IOException {
        MemorySegment.copy(message, at, memory.memory(), ValueLayout.JAVA_BYTE, SEND_AT, count);
        SendRequest request =
                qp.newSendRequest().send().from(memory, SEND_AT, count).signaled();
        if (!qp.post(request)) {
            throw new IOException("the send queue of the control connection is full");
        }
        failure = null;
        if (sendCq.poll(this::onSent, 1, patience) == 0) {
            throw new IOException("no acknowledgement within " + patience.toSeconds() + " s");
        }
        if (failure != null) {
            throw new IOException(failure.explain());
        }
    }

    private void onSent(WorkCompletion completion) {
        failure = completion.isSuccess() ? null : completion.status();
    }

    @Override
    public int receive(byte[] bytes) throws IOException {
        into = bytes;
        length = 0;
        try {
            while (!closing) {
                waiting.arm(); // arm before polling: a completion in between is not missed
                if (receiveCq.poll(this::onReceived, 1) > 0) {
                    return length;
                }
                if (waiting.rest() && peer.isGone()) {
                    return ended();
                }
            }
            return ended();
        } catch (RdmaException e) {
            readerDone.countDown();
            throw new IOException(e.getMessage(), e);
        }
    }

    private int ended() {
        readerDone.countDown();
        return -1;
    }

    private void onReceived(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            length = ended(); // flushed: the connection ended
            return;
        }
        int slot = (int) completion.wrId();
        length = (int) completion.byteLength();
        MemorySegment.copy(memory.memory(), ValueLayout.JAVA_BYTE, (long) slot * LONGEST, into, 0, length);
        qp.post(receives[slot]); // there is room: this very receive was taken out
    }

    /// Frees everything once the reader has noticed. Closing the id then disconnects.
    @Override
    public void close() {
        closing = true;
        try {
            readerDone.await(LONGEST_GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            owned.close();
        } catch (RdmaException e) {
            if (e.errno() != Errno.EINTR) {
                throw e;
            }
        }
    }
}
