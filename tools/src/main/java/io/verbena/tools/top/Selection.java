package io.verbena.tools.top;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Which connections are shown, and in which order.
///
/// @param filter words that all must be somewhere in a row; those that begin with `-` must not
record Selection(Column sort, boolean isReversed, String filter) {
    Selection sortedBy(Column column) {
        return new Selection(column, false, filter);
    }

    Selection reversed() {
        return new Selection(sort, !isReversed, filter);
    }

    Selection filteredBy(String text) {
        return new Selection(sort, isReversed, text);
    }

    List<ConnectionRow> of(List<ConnectionRow> all) {
        List<ConnectionRow> chosen = new ArrayList<>(all);
        String[] words = filter.toLowerCase(Locale.ROOT).strip().split("\\s+");
        if (!filter.isBlank()) {
            chosen.removeIf(row -> !matches(row.words(), words));
        }
        Comparator<ConnectionRow> order = sort.order();
        // Equal rows keep their order, so they do not jump from one frame to the next.
        chosen.sort(isReversed ? order.reversed() : order);
        return chosen;
    }

    /// `4 connections`, or `2 of 4 connections match 'udp'`: what is left out must not look as if it were not there.
    String count(int shown, int all) {
        String connections = Quantity.of(all, "connection", "connections");
        return filter.isBlank()
                ? connections
                : "%d of %s match%s '%s'".formatted(shown, connections, all == 1 ? "es" : "", filter.strip());
    }

    private static boolean matches(String row, String... words) {
        for (String word : words) {
            boolean isExcluded = word.length() > 1 && word.startsWith("-");
            if (row.contains(isExcluded ? word.substring(1) : word) == isExcluded) {
                return false;
            }
        }
        return true;
    }
}
