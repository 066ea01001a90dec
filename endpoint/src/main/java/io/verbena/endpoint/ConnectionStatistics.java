package io.verbena.endpoint;

/// What a connection has done since it was made.
///
/// @param messagesSent messages, requests and answers of the program
/// @param bytesSent their bytes
/// @param messagesReceived messages, requests and answers of the peer
/// @param bytesReceived their bytes
/// @param longMessagesSent how many of those sent were read by the peer from this side's memory
/// @param longMessagesReceived how many of those received this side read from the peer's memory
/// @param remoteAccesses reads, writes and atomic operations on the peer's memory
/// @param waitsForPeer how often a thread had to wait because the peer was behind
public record ConnectionStatistics(
        long messagesSent,
        long bytesSent,
        long messagesReceived,
        long bytesReceived,
        long longMessagesSent,
        long longMessagesReceived,
        long remoteAccesses,
        long waitsForPeer) {}
