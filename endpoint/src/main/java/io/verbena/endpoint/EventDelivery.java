package io.verbena.endpoint;

import java.util.ArrayDeque;

/// Hands what comes by a connection to a [ConnectionHandler], in order. All of it belongs to the owner of the hub.
final class EventDelivery {
    private final ConnectionLink connection;
    private final ConnectionHandler handler;

    /// One for all messages in receive buffers but requests: a message is valid only until the handler returns.
    private final Message view;

    /// What came while a long message is being read, or while there is no room for the answer to a request. Receive
    /// buffers stay taken meanwhile, so that a peer that takes no answers soon has no credits left.
    private final ArrayDeque<Object> later = new ArrayDeque<>(1);

    private boolean isReading;
    private boolean hasEnded;
    private boolean isOver;
    private boolean wantsRoom;

    /// How many messages came after the handler had failed.
    private int dropped;

    EventDelivery(ConnectionLink connection, ConnectionHandler handler) {
        this.connection = connection;
        this.handler = handler;
        this.view = new Message(connection);
    }

    /// A message in a receive buffer.
    void onMessage(int kind, long number, int slot, int length) {
        // A request has an object of its own: it may be answered when the view shows another message.
        if (kind == MessageHeader.REQUEST || mustWait()) {
            onMessage(new Message(connection, kind, number, slot, length));
        } else {
            view.show(kind, number, slot, length);
            deliver(view);
        }
    }

    /// A message that has an object of its own.
    void onMessage(Message message) {
        later.add(message);
        goOn();
    }

    private boolean mustWait() {
        return isReading || !later.isEmpty();
    }

    /// Of any length. A handler must not wait, so it gets a request when it can answer.
    private boolean hasRoomForAnswer() {
        return connection.sender().hasRoomForReply() && connection.longs().hasRoomForReply();
    }

    void onAnnouncement(Fetch fetch) {
        if (mustWait()) {
            later.add(fetch);
            connection.longs().fetchAhead(null, later);
        } else {
            read(fetch);
        }
    }

    private void read(Fetch fetch) {
        isReading = true;
        fetch.fetched().onEnded(problem -> {
            isReading = false;
            if (problem == null) {
                later.addFirst(fetch.fetched().reply());
                goOn();
            } else if (connection.loss().reason() == null) {
                goOn(); // too long: the peer was told
            }
        });
        connection.longs().fetch(fetch, later);
    }

    private void goOn() {
        while (!isReading && !later.isEmpty()) {
            if (later.peek() instanceof Message message) {
                if (message.isRequest() && !hasRoomForAnswer()) {
                    return;
                }
                later.poll();
                deliver(message);
            } else {
                read((Fetch) later.poll());
            }
        }
        if (hasEnded && later.isEmpty() && !isReading) {
            end(connection.loss().failureOfPeer());
        }
    }

    private void deliver(Message message) {
        if (isOver || connection.ending().takesNoMore()) {
            dropped++;
            message.close();
            return;
        }
        if (!message.isLong()) { // that was counted when it was read
            connection.traffic().onReceived(message.length(), false);
        }
        Hub hub = connection.resources().hub();
        Thread before = hub.beginHandler();
        try {
            handler.onMessage(connection.connection(), message);
        } catch (Throwable e) {
            fail(e);
        } finally {
            hub.endHandler(before);
            message.close();
        }
    }

    /// How many messages the handler did not get yet.
    int waiting() {
        return later.size() + (isReading ? 1 : 0) + dropped;
    }

    /// The program was refused a message.
    void wantRoom() {
        wantsRoom = true;
    }

    void onRoom() {
        if (connection.loss().reason() == null) {
            goOn();
        }
        if (wantsRoom && !isOver && connection.sender().hasRoom()) {
            wantsRoom = false;
            run(() -> handler.onWritable(connection.connection()));
        }
    }

    void onConnected() {
        run(() -> handler.onConnected(connection.connection()));
    }

    /// The peer sends no more.
    void onEnd() {
        hasEnded = true;
        goOn();
    }

    /// A peer that has ended the connection in good order wants no answers any more, but its other messages are
    /// delivered.
    void onLost(RuntimeException loss) {
        boolean hasAll = hasEnded && !isReading;
        while (hasEnded && !later.isEmpty()) {
            if (!(later.poll() instanceof Message message)) {
                hasAll = false;
            } else if (message.isRequest()) {
                hasAll = false;
                message.close();
            } else {
                deliver(message);
            }
        }
        end(hasAll ? connection.loss().failureOfPeer() : loss);
    }

    /// Gives back the buffers of messages that are not delivered any more.
    void clear() {
        for (Object message = later.poll(); message != null; message = later.poll()) {
            if (message instanceof Message received) {
                received.close();
            }
        }
    }

    private void end(RuntimeException loss) {
        if (!isOver) {
            isOver = true;
            connection.loss().onEndTold();
            connection.waits().finishWriters(); // the peer needs their messages no more
            run(() -> handler.onEnd(connection.connection(), loss));
            connection.arrivals().onHandled();
        }
    }

    private void run(Runnable call) {
        Hub hub = connection.resources().hub();
        Thread before = hub.beginHandler();
        try {
            call.run();
        } catch (Throwable e) {
            fail(e);
        } finally {
            hub.endHandler(before);
        }
    }

    /// The handler has failed: closes the connection, and tells the peer and the threads of this side.
    private void fail(Throwable problem) {
        boolean isEnd = connection.loss().isOfThisConnection(problem);
        if (isEnd) {
            EndpointEvents.closed(connection.peer(), problem.getMessage());
        } else {
            EndpointEvents.failed(connection.peer(), "the handler", problem);
        }
        if (!isEnd) {
            connection.loss().onHandlerFailed(problem);
        }
        connection.ending().close(!isEnd);
        end(EndpointEvents.asRuntimeException(problem));
    }
}
