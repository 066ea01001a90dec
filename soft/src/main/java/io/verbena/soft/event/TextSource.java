package io.verbena.soft.event;

/// Makes a text that is needed only when an event is written.
@FunctionalInterface
public interface TextSource {
    String text();
}
