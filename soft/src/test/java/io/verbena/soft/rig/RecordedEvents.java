package io.verbena.soft.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// A recording of the flight recorder, from the moment that it is made until the events are asked for.
public final class RecordedEvents implements AutoCloseable {
    private static final String SOFT = "verbena.soft.";

    private final Recording recording = new Recording();
    private List<RecordedEvent> events;

    /// @param names the events of the software device to record, whatever their threshold and however many there are
    public RecordedEvents(String... names) {
        for (String name : names) {
            recording.enable(SOFT + name).withoutThreshold().with("throttle", "off");
        }
        recording.start();
    }

    /// Samples an event when the recording ends.
    public static RecordedEvents atTheEnd(String name) {
        var recorded = new RecordedEvents();
        recorded.recording.enable(SOFT + name).with("period", "endChunk");
        return recorded;
    }

    /// Ends the recording. The events of one type, in their order.
    public List<RecordedEvent> of(String name) {
        if (events == null) {
            events = stopAndRead();
        }
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(SOFT + name))
                .toList();
    }

    private List<RecordedEvent> stopAndRead() {
        try {
            recording.stop();
            Path file = Files.createTempFile("verbena-events", ".jfr");
            try {
                recording.dump(file);
                return RecordingFile.readAllEvents(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        recording.close();
    }
}
