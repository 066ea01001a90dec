package io.verbena.tools.program;

import io.verbena.tools.text.AddressText;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The reason why a server refuses a client: text in the private data of `reject`. C programs send none, and ignore it.
public final class Refusal {
    private static final int LONGEST = 148;

    private Refusal() {}

    /// Rejects the request. Returns the exception to throw, so that both sides print the same line.
    public static ProgramException refuse(ConnectionId request, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.US_ASCII);
        request.reject(Arrays.copyOf(text, Math.min(text.length, LONGEST)));
        return new ProgramException("client " + AddressText.of(request.peerAddress()) + " is refused: " + reason);
    }

    /// The reason in an event; empty when there is none that can be printed.
    static String text(CmEvent event) {
        if (event == null || event.type() != CmEventType.REJECTED) {
            return "";
        }
        byte[] data = event.privateData();
        int length = 0;
        while (length < data.length && data[length] >= ' ' && data[length] < 0x7F) {
            length++;
        }
        boolean padded = length == data.length || data[length] == 0;
        return padded ? new String(data, 0, length, StandardCharsets.US_ASCII) : "";
    }
}
