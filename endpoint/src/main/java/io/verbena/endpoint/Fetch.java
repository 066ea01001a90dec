package io.verbena.endpoint;

/// A long message on its way from the peer's memory: announced, and read when the program asks for it, or a little
/// before. Of the owner of the hub, but for [#fetched].
final class Fetch {
    private final Announcement announcement;
    private final Pending fetched;
    private boolean begun;
    private boolean isWantedAgain;

    /// @param fetched gets the message as its reply
    Fetch(Announcement announcement, Pending fetched) {
        this.announcement = announcement;
        this.fetched = fetched;
    }

    Fetch(ConnectionLink connection, Announcement announcement) {
        this(
                announcement,
                new Pending(
                        connection,
                        () -> "read a message of " + announcement.length() + " bytes from " + connection.peer()));
    }

    Announcement announcement() {
        return announcement;
    }

    long length() {
        return announcement.length();
    }

    /// The message, when it is here. From any thread.
    Pending fetched() {
        return fetched;
    }

    /// False when it was begun before.
    boolean begin() {
        boolean first = !begun;
        begun = true;
        return first;
    }

    boolean isBegun() {
        return begun;
    }

    /// There was no memory for it: whoever asks next may have more luck.
    void wantAgain() {
        isWantedAgain = true;
    }

    boolean isWantedAgain() {
        return isWantedAgain;
    }
}
