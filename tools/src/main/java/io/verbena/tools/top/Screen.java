package io.verbena.tools.top;

import io.verbena.tools.text.Style;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Draws what the keys of a person have chosen, in a given number of rows and columns.
final class Screen {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final String KEYS =
            "q quit  h help  Tab view  s sort  r reverse  / filter  p pause  Up Down Enter details";
    private static final int MOST_PROCESSES = 5;

    private static final List<String> HELP = List.of(
            "Keys",
            "",
            "  q, Ctrl-C      quit",
            "  Tab            next view: connections, devices, processes",
            "  s, S, < >      next, previous column to sort by",
            "  r              reverse the order",
            "  /              filter: words that rows must have, -WORD for those that they must not have; Enter ends it",
            "  Esc            leave details or help; else show all rows again",
            "  p, space       pause, and go on",
            "  Up Down PgUp PgDn Home End, k j    choose a connection",
            "  Enter          all about the chosen connection",
            "",
            "Columns",
            "",
            "  SENT/s RECV/s  messages sent and received; PKTS/s packets in both directions, over UDP",
            "  OUT            requests that are posted and not finished;  RECVS receives that wait for messages",
            "  RETRY          packets sent again, or timeouts;  RNR how often one side had no receive for the other",
            "  WAIT           how long at least the oldest request has been waiting;  SLOWEST the longest such wait seen",
            "  STATE          that of the queue pair; RNR while it waits for the peer to post a receive",
            "  PATH           UDP, or shm: memory that both processes share");

    private final ViewState state;
    private final int rows;
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    private Screen(ViewState state, int rows, int columns) {
        this.state = state;
        this.rows = Math.max(rows, 5);
        this.columns = Math.max(columns, 20);
    }

    static List<String> draw(ViewState state, Snapshot snapshot, int rows, int columns) {
        return new Screen(state, rows, columns).draw(snapshot);
    }

    private List<String> draw(Snapshot snapshot) {
        summary(snapshot);
        switch (state.page()) {
            case HELP -> HELP.forEach(this::add);
            case DETAILS -> details();
            case CONNECTIONS -> connections(snapshot);
            case DEVICES -> table(TextTable.DEVICES, snapshot.shards());
            case PROCESSES -> table(TextTable.PROCESSES, snapshot.processes());
        }
        List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), rows - 1)));
        while (shown.size() < rows - 1) {
            shown.add("");
        }
        shown.add(
                state.isTyping()
                        ? cut("filter: " + state.selection().filter() + "_   (Enter to end)")
                        : Style.DIM.on(cut(KEYS)));
        return shown;
    }

    private void summary(Snapshot snapshot) {
        Selection selection = state.selection();
        String order = selection.sort().field().heading() + (selection.isReversed() ? " (reversed)" : "");
        add(
                Style.BOLD,
                "verbena top  %s  %s, %s, %s  sort %s%s"
                        .formatted(
                                TIME.format(Instant.ofEpochMilli(snapshot.timeMs())),
                                Quantity.of(snapshot.processes().size(), "process", "processes"),
                                Quantity.of(snapshot.deviceCount(), "device", "devices"),
                                selection.count(
                                        state.rows().size(),
                                        snapshot.connections().size()),
                                order,
                                state.isPaused() ? "  PAUSED" : ""));
    }

    private void connections(Snapshot snapshot) {
        List<ProcessRow> processes = snapshot.processes();
        int most = Math.min(MOST_PROCESSES, Math.max(1, rows / 5));
        if (processes.isEmpty()) {
            add("no process of this user has a Verbena device open");
            return;
        }
        add(Style.CYAN, TextTable.heading(TextTable.PROCESSES));
        for (ProcessRow row : processes.subList(0, Math.min(most, processes.size()))) {
            add(row.problem().isEmpty() ? null : Style.YELLOW, TextTable.line(TextTable.PROCESSES, row));
        }
        if (processes.size() > most) {
            add(Style.DIM, "  and " + (processes.size() - most) + " more; Tab shows them");
        }
        add("");
        List<Field<ConnectionRow>> fields =
                TextTable.fitting(columns, state.selection().sort());
        add(Style.CYAN, TextTable.heading(fields));
        List<ConnectionRow> all = state.rows();
        if (all.isEmpty() && !snapshot.connections().isEmpty()) {
            add(Style.DIM, "none matches the filter; Esc shows all connections");
        }
        int room = Math.max(1, rows - 1 - lines.size());
        int first = state.firstOf(room);
        for (int i = first; i < Math.min(all.size(), first + room); i++) {
            String line = TextTable.line(fields, all.get(i));
            lines.add(i == state.chosen() ? inverse(line) : colored(all.get(i), cut(line)));
        }
    }

    /// The chosen row is marked, also without colours.
    private String inverse(String line) {
        String padded = cut(line + " ".repeat(Math.max(0, columns - line.length())));
        return "\u001b[7m" + padded + "\u001b[0m";
    }

    private static String colored(ConnectionRow row, String line) {
        return switch (row.state()) {
            case "ERR", "SQE" -> Style.RED.on(line);
            case "RNR" -> Style.YELLOW.on(line);
            default -> line;
        };
    }

    private void details() {
        ConnectionRow row = state.row();
        if (row == null) {
            add("the connection has ended; Esc goes back");
            return;
        }
        add("");
        Details.of(row).forEach((name, value) -> add("  %-22s %s".formatted(name, TextTable.printable(value))));
        add("");
        Hints.of(row).forEach(hint -> wrap(hint).forEach(line -> add(Style.YELLOW, "  " + line)));
    }

    private List<String> wrap(String text) {
        List<String> wrapped = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() + word.length() + 3 > columns && !line.isEmpty()) {
                wrapped.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        wrapped.add(line.toString());
        return wrapped;
    }

    private <R> void table(List<Field<R>> fields, List<R> all) {
        add(Style.CYAN, TextTable.heading(fields));
        all.forEach(row -> add(TextTable.line(fields, row)));
    }

    private void add(String line) {
        add(null, line);
    }

    private void add(Style style, String line) {
        String shown = cut(line);
        lines.add(style == null ? shown : style.on(shown));
    }

    private String cut(String line) {
        return line.length() > columns ? line.substring(0, columns - 1) + "…" : line;
    }
}
