package io.verbena.verbs.spi;

import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;

/// Why a request cannot be posted, in words: the rules that hold for every provider. Methods that check return null
/// when nothing is wrong.
public final class PostRules {
    public static final String NO_OPERATION = "name an operation first: send, write, read or another";
    public static final String FOREIGN_WINDOW = "the memory window or the memory region is of another provider";
    public static final String CLOSED_WINDOW = "the memory window or the memory region is closed";
    public static final String WINDOW_OF_OTHER_CONTEXT = "the window is of another context";
    public static final String WINDOW_OF_TYPE_1 = "the window is of type 1; bind it with MemoryWindow.bind";
    public static final String WINDOW_OF_OTHER_DOMAIN = "window and memory region are of different protection domains";
    public static final String RECEIVES_ARE_SHARED =
            "the queue pair takes its receives from a shared receive queue; post them there";
    public static final String RECEIVE_IN_RESET = "the queue pair is in RESET; receives are taken from INIT on";

    private PostRules() {}

    /// For a request that the provider did not make.
    public static String foreign(Object request) {
        return request == null ? "the request is null" : "the request was made by a queue of another provider";
    }

    /// For a queue pair that is not in RTS or a later state.
    public static String sendIn(QueuePairState state) {
        return "the queue pair is in " + state + "; sends are taken from RTS on";
    }

    /// For an operation that the type of the queue pair does not have.
    public static String notOn(QueuePairType type, Operation operation) {
        return operation + " cannot be asked of a queue pair of type " + type;
    }

    /// For a datagram whose handle is not one of the provider's.
    public static String destination(AddressHandle handle) {
        return handle == null
                ? "a datagram needs an address handle; name one with to"
                : "the address handle is of another provider";
    }

    /// Whether there are more buffers than the queue takes.
    ///
    /// @param option the option that makes it take more
    public static String tooMany(BufferList buffers, int most, String option) {
        return buffers.isMoreThan(most)
                ? buffers.count() + " buffers, the queue takes " + most + "; ask for more with " + option
                        + " when making it"
                : null;
    }

    /// What an inline request must fulfil.
    public static String inline(Operation operation, BufferList buffers, int maxInlineBytes) {
        if (!operation.mayBeInline()) {
            return operation + " cannot be inline; only SEND and WRITE can";
        }
        long bytes = buffers.totalBytes();
        if (bytes > maxInlineBytes) {
            return bytes + " inline bytes, the queue pair takes " + maxInlineBytes
                    + "; ask for more with inlineBytes when making it";
        }
        return buffers.isReadable()
                ? null
                : "inline bytes cannot be read from a raw address; give them with from or fromInline";
    }

    /// Only the low 8 bits of a window's key may be chosen.
    public static String windowKey(int key, int last) {
        return (key ^ last) >>> 8 == 0
                ? null
                : "0x%x is no key of window 0x%x: only its low 8 bits may be chosen; see Keys.increment"
                        .formatted(key, last);
    }
}
