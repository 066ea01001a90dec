package io.verbena.sockets.protocol;

/// The places of the send queue. Requests have running numbers; the completion of a signaled one says that all before
/// it are complete, too.
final class SendSlots {
    /// Places that only control words may take.
    static final int CONTROL = 4;

    private final int size;
    private final long[] positions;
    private int posted;
    private int completed;
    private int lastSignaled;

    SendSlots(int size) {
        this.size = size;
        positions = new long[size];
    }

    boolean hasRoomForData() {
        return posted - completed < size - CONTROL;
    }

    boolean hasRoom(int requests) {
        return posted - completed + requests <= size;
    }

    boolean isCompleted(int number) {
        return number - completed <= 0;
    }

    /// Whether the next request is to be signaled, so that the queue does not fill up with requests whose end is not
    /// known.
    boolean mustSignal() {
        return posted + 1 - lastSignaled >= size / 4;
    }

    /// Takes a place, and returns the number of the request.
    ///
    /// @param position how much of the stream is complete when the request is
    int take(long position, boolean signaled) {
        int number = ++posted;
        positions[Math.floorMod(number, size)] = position;
        if (signaled) {
            lastSignaled = number;
        }
        return number;
    }

    /// A request is complete; returns its position.
    long complete(int number) {
        if (number - completed <= 0 || number - posted > 0) {
            throw new IllegalStateException(
                    "request %d completed, while %d to %d are posted".formatted(number, completed + 1, posted));
        }
        completed = number;
        return positions[Math.floorMod(number, size)];
    }

    @Override
    public String toString() {
        return "%d requests posted, %d completed".formatted(posted, completed);
    }
}
