package io.verbena.tools.top;

import java.util.List;

/// What a person has chosen by keys: which page, order and filter, and which connection.
final class ViewState {
    /// What the screen shows.
    enum Page {
        CONNECTIONS,
        DEVICES,
        PROCESSES,
        HELP,
        DETAILS
    }

    private static final int PAGE_ROWS = 10;
    private static final Column[] COLUMNS = Column.values();

    private Selection selection;
    private Page page = Page.CONNECTIONS;
    private boolean isPaused;
    private boolean isTyping;
    private boolean isEnded;
    private List<ConnectionRow> all = List.of();
    private List<ConnectionRow> rows = List.of();
    private int chosen;
    private int first;
    /// The connection that [#chosen] means. It stays chosen wherever the order moves it.
    private ConnectionRow chosenRow;

    private boolean hasMoved;

    ViewState(Selection selection) {
        this.selection = selection;
    }

    Selection selection() {
        return selection;
    }

    Page page() {
        return page;
    }

    boolean isPaused() {
        return isPaused;
    }

    boolean isTyping() {
        return isTyping;
    }

    boolean isEnded() {
        return isEnded;
    }

    List<ConnectionRow> rows() {
        return rows;
    }

    int chosen() {
        return chosen;
    }

    /// The chosen connection as it is now; null when it has ended.
    ConnectionRow row() {
        return all.stream().filter(this::isChosen).findFirst().orElse(null);
    }

    private boolean isChosen(ConnectionRow row) {
        return chosenRow != null
                && row.pid() == chosenRow.pid()
                && row.status().number() == chosenRow.status().number()
                && row.device().equals(chosenRow.device());
    }

    /// The first row to show so that the chosen one is in sight.
    int firstOf(int room) {
        first = Math.clamp(first, Math.max(0, chosen - room + 1), Math.max(0, chosen));
        first = Math.clamp(first, 0, Math.max(0, rows.size() - room));
        return first;
    }

    void update(List<ConnectionRow> connections) {
        all = connections;
        select();
    }

    /// Until a row is chosen by keys, the first one stays chosen.
    private void select() {
        rows = selection.of(all);
        int found = -1;
        for (int i = 0; hasMoved && found < 0 && i < rows.size(); i++) {
            found = isChosen(rows.get(i)) ? i : -1;
        }
        chosen = found >= 0 ? found : Math.clamp(hasMoved ? chosen : 0, 0, Math.max(0, rows.size() - 1));
        if (page != Page.DETAILS) {
            remember();
        }
    }

    private void remember() {
        chosenRow = rows.isEmpty() ? null : rows.get(chosen);
    }

    void onKey(String key) {
        if (isTyping) {
            onTyped(key);
            return;
        }
        switch (key) {
            case "q" -> isEnded = true;
            case "h", "?" -> page = page == Page.HELP ? Page.CONNECTIONS : Page.HELP;
            case "escape" -> goBack();
            case "enter" -> page = page == Page.CONNECTIONS && chosenRow != null ? Page.DETAILS : Page.CONNECTIONS;
            case "tab" ->
                page = switch (page) {
                    case CONNECTIONS -> Page.DEVICES;
                    case DEVICES -> Page.PROCESSES;
                    default -> Page.CONNECTIONS;
                };
            case "p", " " -> isPaused = !isPaused;
            case "/" -> {
                page = Page.CONNECTIONS;
                isTyping = true;
            }
            case "r" -> change(selection.reversed());
            case "s", ">", "right" -> change(selection.sortedBy(column(1)));
            case "S", "<", "left" -> change(selection.sortedBy(column(-1)));
            default -> onMove(key);
        }
    }

    private Column column(int step) {
        return COLUMNS[Math.floorMod(selection.sort().ordinal() + step, COLUMNS.length)];
    }

    private void goBack() {
        if (page == Page.CONNECTIONS) {
            change(selection.filteredBy(""));
        }
        page = Page.CONNECTIONS;
    }

    private void onMove(String key) {
        int to = switch (key) {
            case "up", "k" -> chosen - 1;
            case "down", "j" -> chosen + 1;
            case "pageup" -> chosen - PAGE_ROWS;
            case "pagedown" -> chosen + PAGE_ROWS;
            case "home", "g" -> 0;
            case "end", "G" -> rows.size() - 1;
            default -> -1;
        };
        boolean isMove = to != -1 || key.equals("up") || key.equals("k");
        if (isMove && page == Page.CONNECTIONS) {
            chosen = Math.clamp(to, 0, Math.max(0, rows.size() - 1));
            hasMoved = chosen > 0;
            remember();
        }
    }

    private void onTyped(String key) {
        String filter = selection.filter();
        switch (key) {
            case "enter" -> isTyping = false;
            case "escape" -> {
                isTyping = false;
                change(selection.filteredBy(""));
            }
            case "backspace" ->
                change(selection.filteredBy(filter.isEmpty() ? "" : filter.substring(0, filter.length() - 1)));
            default -> {
                if (key.length() == 1) {
                    change(selection.filteredBy(filter + key));
                }
            }
        }
    }

    private void change(Selection to) {
        selection = to;
        select();
    }
}
