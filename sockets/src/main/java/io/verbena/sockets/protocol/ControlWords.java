package io.verbena.sockets.protocol;

/// The control words that are on their way to the peer, at most [SendSlots#CONTROL] at once. Each has a place of its
/// own in registered memory for what goes with it.
final class ControlWords {
    private static final int PLACE_BYTES = 32;

    /// What all places take together.
    static final int BYTES = SendSlots.CONTROL * PLACE_BYTES;

    private final SendSlots slots;
    private final long offset;

    /// The numbers of the requests by place; of those that are complete, too.
    private final int[] numbers = new int[SendSlots.CONTROL];

    private int next;
    private int inFlight;

    /// @param offset where the places begin
    ControlWords(SendSlots slots, long offset) {
        this.slots = slots;
        this.offset = offset;
    }

    static long align(long offset) {
        return (offset + PLACE_BYTES - 1) / PLACE_BYTES * PLACE_BYTES;
    }

    boolean hasRoom(int words) {
        return inFlight + words <= SendSlots.CONTROL && slots.hasRoom(words);
    }

    /// Where the bytes of the next one go.
    long nextPlace() {
        return offset + (long) next * PLACE_BYTES;
    }

    /// Takes the next place and a place of the send queue, and returns the number of the request, which is to be
    /// signaled.
    ///
    /// @param position how much of the stream is complete when the request is
    int take(long position) {
        int number = slots.take(position, true);
        inFlight++;
        numbers[next] = number;
        next = (next + 1) % SendSlots.CONTROL;
        return number;
    }

    /// A request is complete, which may be one of these.
    void onCompleted(int number) {
        for (int control : numbers) {
            if (control == number) {
                inFlight--;
                return;
            }
        }
    }

    @Override
    public String toString() {
        return inFlight + " control words in flight";
    }
}
