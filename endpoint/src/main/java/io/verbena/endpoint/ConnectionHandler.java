package io.verbena.endpoint;

/// What a program does when something happens on its connections: one thread serves thousands of them. See
/// [EndpointServer#handle] and [Connection#handle].
///
/// ```java
/// server.handle((connection, message) -> message.reply(message.memory()));   // answers calls with what they brought
/// ```
///
/// The methods are called one at a time for each device: by a thread of the library, or by a thread of the program that
/// happens to wait, to send or to close, on a connection of the same device. So a lock that a handler takes must not be
/// held while sending. Where a device has more connections than its queues
/// have room for, some of them have another thread. The methods must not wait: calls that would wait throw EAGAIN. A
/// handler that throws loses its connection.
@FunctionalInterface
public interface ConnectionHandler {
    /// A message came. It is valid until the method returns, and closed then. A request can still be answered later, by
    /// any thread.
    void onMessage(Connection connection, Message message);

    /// A client has connected. Not called for [Connection#handle].
    default void onConnected(Connection connection) {}

    /// The peer has taken messages: [Connection#trySend] may succeed, after it returned false.
    default void onWritable(Connection connection) {}

    /// The connection is over, and nothing more comes. The connection is closed for the program.
    ///
    /// @param loss why it was lost, or that the peer closed it because its program failed, or what this handler threw;
    ///     null when a side closed it in good order
    default void onEnd(Connection connection, RuntimeException loss) {}
}
