package io.verbena.tools.text;

/// Colours, only on a terminal, and not when the variable `NO_COLOR` is set.
public enum Style {
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    CYAN("36");

    private static final boolean ENABLED = enabled();

    private final String code;

    Style(String code) {
        this.code = code;
    }

    public String on(String text) {
        return ENABLED ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    private static boolean enabled() {
        String noColor = System.getenv("NO_COLOR");
        var console = System.console();
        return (noColor == null || noColor.isEmpty()) && console != null && console.isTerminal();
    }
}
