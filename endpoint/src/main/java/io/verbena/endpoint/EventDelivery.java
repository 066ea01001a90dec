package io.verbena.endpoint;

import java.util.ArrayDeque;

/// Hands what comes by a connection to a [ConnectionHandler], in order. All of it belongs to the owner of the hub.
final class EventDelivery {
    private final ConnectionLink connection;
    private final ConnectionHandler handler;

    /// One for all messages in receive buffers: a message is valid only until the handler returns.
    private final Message view;

    /// What came while a long message is being read.
    private final ArrayDeque<Object> later = new ArrayDeque<>(1);

    private boolean isReading;
    private boolean hasEnded;
    private boolean isOver;
    private volatile boolean wantsRoom;

    EventDelivery(ConnectionLink connection, ConnectionHandler handler) {
        this.connection = connection;
        this.handler = handler;
        this.view = new Message(connection);
    }

    /// A message in a receive buffer.
    void onMessage(int kind, long number, int slot, int length) {
        if (isReading) {
            later.add(new Message(connection, kind, number, slot, length));
        } else {
            view.show(kind, number, slot, length);
            deliver(view);
        }
    }

    /// A message that came before there was a handler.
    void onMessage(Message message) {
        if (isReading) {
            later.add(message);
        } else {
            deliver(message);
        }
    }

    void onAnnouncement(Fetch fetch) {
        if (isReading) {
            later.add(fetch);
            connection.longs().fetchAhead(later);
        } else {
            read(fetch);
        }
    }

    private void read(Fetch fetch) {
        isReading = true;
        fetch.fetched().onEnded(problem -> {
            isReading = false;
            if (problem == null) {
                deliver(fetch.fetched().reply());
                goOn();
            } else if (connection.loss() == null) {
                goOn(); // too long: the peer was told
            }
        });
        connection.longs().fetch(fetch, later);
    }

    private void goOn() {
        while (!isReading && !later.isEmpty()) {
            Object next = later.poll();
            if (next instanceof Message message) {
                deliver(message);
            } else {
                read((Fetch) next);
            }
        }
        if (hasEnded && later.isEmpty() && !isReading) {
            end(null);
        }
    }

    private void deliver(Message message) {
        connection.traffic().onReceived(message.length(), false);
        Hub hub = connection.resources().hub();
        Thread before = hub.beginHandler();
        try {
            handler.onMessage(connection.connection(), message);
        } catch (Throwable e) {
            connection.fail(EndpointEvents.asRuntimeException(e));
        } finally {
            hub.endHandler(before);
            message.close();
        }
    }

    /// The program was refused a message. From any thread.
    void wantRoom() {
        wantsRoom = true;
    }

    void onRoom() {
        if (wantsRoom && connection.sender().hasRoom()) {
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

    void onLost(RuntimeException loss) {
        end(hasEnded ? null : loss);
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
            connection.onEndTold();
            run(() -> handler.onEnd(connection.connection(), loss));
            connection.onHandled();
        }
    }

    private void run(Runnable call) {
        Hub hub = connection.resources().hub();
        Thread before = hub.beginHandler();
        try {
            call.run();
        } catch (Throwable e) {
            connection.fail(EndpointEvents.asRuntimeException(e));
        } finally {
            hub.endHandler(before);
        }
    }
}
