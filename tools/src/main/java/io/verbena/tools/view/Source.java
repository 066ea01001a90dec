package io.verbena.tools.view;

import io.verbena.tools.recording.Side;
import java.util.List;

/// What was read from one file.
///
/// @param side of a trace; null for other files
record Source(String name, InputFile kind, Side side, List<ViewEvent> events) {
    boolean isTrace() {
        return kind == InputFile.TRACE;
    }

    boolean isCapture() {
        return kind == InputFile.PCAP || kind == InputFile.PCAPNG;
    }

    boolean isRecording() {
        return kind == InputFile.RECORDING;
    }
}
