package io.verbena.tools.top;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// Shows processes in the terminal until a person quits. One thread looks, one reads keys, and the caller's draws what
/// they say, so that keys are answered at once also while a process does not answer.
final class LiveView {
    private sealed interface Event {}

    private record Input(KeyReader.Input what) implements Event {}

    /// There is a new snapshot.
    private record Look() implements Event {}

    private record Failure(RuntimeException cause) implements Event {}

    private record End() implements Event {}

    private final Watch watch;
    private final Duration interval;
    private final ViewState state;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    /// The newest that was not shown; null if there is none. Older ones are dropped while the terminal is slow.
    private final AtomicReference<Snapshot> newest = new AtomicReference<>();

    private final AtomicBoolean isPaused = new AtomicBoolean();
    private int rows;
    private int columns;

    LiveView(Watch watch, Duration interval, Selection selection) {
        this.watch = watch;
        this.interval = interval;
        this.state = new ViewState(selection);
    }

    void run() {
        int[] size = Terminal.size();
        rows = size[0];
        columns = size[1];
        try (Terminal terminal = Terminal.open()) {
            Thread.ofPlatform().daemon().name("keys").start(this::readKeys);
            Thread.ofPlatform().daemon().name("look").start(this::look);
            show(terminal);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(Terminal terminal) throws InterruptedException {
        Snapshot snapshot = null;
        while (!state.isEnded()) {
            switch (events.take()) {
                case End _ -> {
                    return;
                }
                case Failure failure -> throw failure.cause;
                case Look _ -> {
                    snapshot = newest.getAndSet(null);
                    state.update(snapshot.connections());
                    terminal.askSize();
                }
                case Input(KeyReader.Key key) -> {
                    state.onKey(key.name());
                    isPaused.set(state.isPaused());
                }
                case Input(KeyReader.Size size) -> {
                    if (size.rows() == rows && size.columns() == columns) {
                        continue;
                    }
                    rows = size.rows();
                    columns = size.columns();
                }
            }
            // Several keys at once, as when one is held down, are drawn once.
            if (snapshot != null && events.isEmpty()) {
                terminal.draw(Screen.draw(state, snapshot, rows, columns));
            }
        }
    }

    private void readKeys() {
        KeyReader keys = new KeyReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (KeyReader.Input input = keys.read(); input != null; input = keys.read()) {
                events.add(new Input(input));
            }
            events.add(new End());
        } catch (IOException e) {
            events.add(new Failure(new ProgramException("cannot read keys: " + e.getMessage(), e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            while (true) {
                if (!isPaused.get() && newest.getAndSet(watch.look()) == null) {
                    events.add(new Look());
                }
                Thread.sleep(interval);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            events.add(new Failure(e));
        } catch (Error e) {
            events.add(new Failure(new IllegalStateException("cannot look any more: " + e, e)));
        }
    }
}
