package io.verbena.sockets;

import io.verbena.sockets.protocol.RegisteredMemory;
import io.verbena.sockets.protocol.RequestPoster;
import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;

/// Posts the requests of a connection. One request is made once and patched for each message.
final class QueuePairPoster implements RequestPoster {
    private static final int RECEIVES_AT_ONCE = 8;

    private final QueuePair qp;
    private final int place;
    private final int inlineBytes;
    private final SendRequest words;
    private final SendRequest writes;
    private final List<ReceiveRequest> receives;

    QueuePairPoster(QueuePair qp, int place, int inlineBytes) {
        this.qp = qp;
        this.place = place;
        this.inlineBytes = Math.min(inlineBytes, qp.capabilities().maxInlineBytes());
        words = qp.newSendRequest();
        writes = qp.newSendRequest();
        receives = new ArrayList<>();
        for (int i = 0; i < RECEIVES_AT_ONCE; i++) {
            receives.add(
                    qp.newReceiveRequest().wrId(HubStreams.receiveId(place)).empty());
        }
    }

    @Override
    public void writeWithWord(
            RegisteredMemory from,
            long offset,
            int length,
            long remoteAddress,
            int remoteKey,
            int word,
            int number,
            boolean signaled) {
        words.writeWithImmediate(remoteAddress, remoteKey, word);
        post(words, from, offset, length, number, signaled);
    }

    @Override
    public void write(
            RegisteredMemory from,
            long offset,
            int length,
            long remoteAddress,
            int remoteKey,
            int number,
            boolean signaled) {
        writes.write(remoteAddress, remoteKey);
        post(writes, from, offset, length, number, signaled);
    }

    private void post(
            SendRequest request, RegisteredMemory from, long offset, int length, int number, boolean signaled) {
        request.wrId(HubStreams.sendId(place, number)).signaled(signaled);
        if (length == 0) {
            request.empty().inline(false);
        } else {
            request.from(((RegionMemory) from).region(), offset, length).inline(length <= inlineBytes);
        }
        if (!qp.post(request)) {
            throw new RdmaException("post to QP " + qp.number(), Errno.ENOMEM, "its send queue is full");
        }
    }

    @Override
    public void postReceives(int count) {
        int left = count;
        while (left > 0) {
            int now = Math.min(left, RECEIVES_AT_ONCE);
            int posted = qp.postReceives(receives.subList(0, now));
            if (posted < now) {
                throw new RdmaException("post to QP " + qp.number(), Errno.ENOMEM, "its receive queue is full");
            }
            left -= now;
        }
    }
}
