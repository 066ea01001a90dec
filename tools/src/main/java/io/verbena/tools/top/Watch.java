package io.verbena.tools.top;

import io.verbena.soft.status.StatusDirectory;
import io.verbena.tools.program.ProgramException;
import java.nio.file.InvalidPathException;

/// Looks at all processes again and again.
final class Watch implements AutoCloseable {
    private final Observer observer;
    private final RateMeter meter = new RateMeter();
    private final AdapterCounters adapters;

    Watch() {
        this(new Observer(directory()), new AdapterCounters(AdapterCounters.HERE));
    }

    private static StatusDirectory directory() {
        try {
            return StatusDirectory.ofUser();
        } catch (InvalidPathException e) {
            throw new ProgramException("cannot look for processes: " + e.getMessage(), e);
        }
    }

    Watch(Observer observer, AdapterCounters adapters) {
        this.observer = observer;
        this.adapters = adapters;
    }

    /// Rates are those since the call before.
    Snapshot look() {
        return meter.update(observer.look(), adapters.read(System.nanoTime()), System.currentTimeMillis());
    }

    @Override
    public void close() {
        observer.close();
    }
}
