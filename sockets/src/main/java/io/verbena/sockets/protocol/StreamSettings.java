package io.verbena.sockets.protocol;

/// The sizes of one end of a connection.
///
/// @param sendRequests places in the send queue
/// @param credits data messages that the peer may send ahead
/// @param sendBytes the most bytes that wait to be sent or confirmed
/// @param receiveBytes the most bytes that wait to be read
/// @param maps places for maps of the peer
public record StreamSettings(int sendRequests, int credits, int sendBytes, int receiveBytes, int maps) {
    public static final int FEWEST_REQUESTS = 16;
    public static final int MOST_REQUESTS = 65_534;

    /// Receives beyond the credits: for the control words of the peer, which need no credit, and for those that are
    /// reposted together.
    static final int MORE_RECEIVES = 24;

    private static final int SHORTEST_CHUNK = 2048;
    private static final int FIRST_CHUNK = 8192;

    /// The receives to be posted, so that the peer never finds none.
    public int receives() {
        return credits + MORE_RECEIVES;
    }

    int longestReceiveChunk() {
        return Math.max(SHORTEST_CHUNK, receiveBytes / 2);
    }

    int firstReceiveChunk() {
        return Math.min(FIRST_CHUNK, longestReceiveChunk());
    }

    int firstSendChunk() {
        return FIRST_CHUNK;
    }
}
