package io.verbena.tools.view;

/// How much an event stands out. The order is used by the page.
enum Level {
    PLAIN,
    NOTABLE,
    WARNING,
    ERROR
}
