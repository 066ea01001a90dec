package io.verbena.tools.view;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.tools.recording.Side;
import io.verbena.tools.recording.TraceFile;
import io.verbena.tools.recording.TraceStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.io.TempDir;

/// The recorded troubles and made-up traces, as files that were read.
abstract class ConversationRig {
    @TempDir
    Path folder;

    final List<Source> sources = new ArrayList<>();
    Conversation conversation;

    static Path recorded(String name) {
        return ViewBrowserTest.troubles().resolve(name);
    }

    void addTrace(Path file, Side side) {
        addTrace(TraceFile.read(file, side), side);
    }

    void addTrace(List<TraceStep> steps, Side side) {
        int number = sources.size();
        sources.add(new Source(
                side.name(),
                InputFile.TRACE,
                side,
                steps.stream().map(step -> ViewEvent.of(number, step)).toList()));
    }

    void addCapture(List<CapturedPacket> packets) {
        int number = sources.size();
        sources.add(new Source(
                "wire",
                InputFile.PCAP,
                null,
                packets.stream().map(packet -> ViewEvent.of(number, packet)).toList()));
    }

    static List<CapturedPacket> loss() throws IOException {
        return CaptureInput.read(recorded("loss.pcap"), false, Assertions::fail);
    }

    List<Finding> findingsOf(String trouble) throws IOException {
        addTrace(recorded(trouble + "-client.jsonl"), Side.CLIENT);
        addTrace(recorded(trouble + "-server.jsonl"), Side.SERVER);
        if (Files.exists(recorded(trouble + ".pcap"))) {
            addCapture(CaptureInput.read(recorded(trouble + ".pcap"), false, Assertions::fail));
        }
        conversation = Conversation.of(sources);
        return Findings.of(conversation);
    }

    static void assertHas(String words, String text) {
        assertTrue(text.contains(words), text);
    }

    static TraceStep step(Side side, int index, String kind, String verb, Map<String, Object> details) {
        return new TraceStep(side, index, 1000L * index, side.name(), kind, verb, verb, details, 1);
    }

    static TraceStep call(int index, String verb, int qp) {
        return step(Side.CLIENT, index, "call", verb, Map.of("qp", (long) qp));
    }

    static TraceStep completion(int index, int qp, String status) {
        Map<String, Object> details = Map.of("qp", (long) qp, "wr_id", 1L, "operation", "SEND", "status", status);
        return step(Side.CLIENT, index, "completion", "completion", details);
    }
}
