package io.verbena.tools.view;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// Reads Verbena's events of a recording of the flight recorder, as far as the file goes. A recording is a row of
/// chunks, each of which can be read without the others, but not without its own end: that has the names of the events.
final class RecordingInput {
    private static final int MAGIC = 0x464C_5200; // "FLR\0"
    private static final int HEADER_BYTES = 68;
    private static final int SIZE_AT = 8;

    private final Path file;
    private final Consumer<String> problems;
    private final List<RecordedStep> steps = new ArrayList<>();
    private long others;

    private RecordingInput(Path file, Consumer<String> problems) {
        this.file = file;
        this.problems = problems;
    }

    /// @param problems takes a sentence for what could not be read
    static List<RecordedStep> read(Path file, Consumer<String> problems) throws IOException {
        var input = new RecordingInput(file, problems);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            input.readChunks(channel);
        }
        if (input.steps.isEmpty()) {
            problems.accept(file + ": no event of Verbena in it, " + input.others
                    + " of others; record while the program runs, as java -XX:StartFlightRecording does");
        }
        return input.steps;
    }

    private void readChunks(FileChannel channel) throws IOException {
        long at = 0;
        for (int number = 1; at < channel.size(); number++) {
            long size = sizeOf(channel, at);
            if (size < HEADER_BYTES) {
                problems.accept("%s: the rest, %d bytes from byte %d on, is no recording"
                        .formatted(file, channel.size() - at, at));
                return;
            }
            if (size > channel.size() - at) {
                problems.accept(
                        ("%s: the file ends inside chunk %d, %d bytes too early; the %d events of Verbena before"
                                        + " it are shown, those of this chunk cannot be read without its end")
                                .formatted(file, number, size - (channel.size() - at), steps.size()));
                return;
            }
            readChunk(channel, at, size, number);
            at += size;
        }
    }

    /// The size of the chunk that begins there; -1 when none does.
    private static long sizeOf(FileChannel channel, long at) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        while (header.hasRemaining() && channel.read(header, at + header.position()) > 0) {}
        return header.hasRemaining() || header.getInt(0) != MAGIC ? -1 : header.getLong(SIZE_AT);
    }

    /// From a file of its own: the JDK reads files only, and gives up at the first damage.
    private void readChunk(FileChannel channel, long at, long size, int number) throws IOException {
        Path chunk = Files.createTempFile("verbena-view", ".jfr");
        try {
            try (FileChannel out = FileChannel.open(chunk, StandardOpenOption.WRITE)) {
                copy(channel, at, size, out);
            }
            readEvents(chunk, number);
        } finally {
            Files.delete(chunk);
        }
    }

    private static void copy(FileChannel in, long at, long bytes, FileChannel out) throws IOException {
        long copied = 0;
        while (copied < bytes) {
            long now = in.transferTo(at + copied, bytes - copied, out);
            if (now <= 0) {
                return; // somebody cut the file meanwhile; the reader will say so
            }
            copied += now;
        }
    }

    private void readEvents(Path chunk, int number) {
        int before = steps.size();
        try (RecordingFile in = new RecordingFile(chunk)) {
            while (in.hasMoreEvents()) {
                add(in.readEvent());
            }
        } catch (IOException | RuntimeException e) { // damaged bytes confuse the JDK's reader in many ways
            problems.accept("%s: chunk %d is damaged (%s); %d of its events are shown"
                    .formatted(file, number, e.getMessage(), steps.size() - before));
        }
    }

    private void add(RecordedEvent event) {
        if (event.getEventType().getName().startsWith(RecordedStep.PREFIX)) {
            steps.add(RecordedStep.of(event));
        } else {
            others++;
        }
    }
}
