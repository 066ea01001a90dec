package io.verbena.tools;

import java.util.List;

/// What only the launcher of a source tree has, see `verbena` there.
final class LauncherCommands {
    static final List<String> ALL = List.of("build", "test", "run", "bench", "jmh", "lab", "fuzz", "jcstress", "clean");

    /// Letters that are wrong, missing or too many in a word that was meant to be another.
    private static final int MOST_TYPOS = 2;

    private LauncherCommands() {}

    /// Commands that somebody who typed `word` may have meant.
    static List<String> similarTo(String word) {
        return ALL.stream()
                .filter(command -> typos(word, command) <= Math.min(MOST_TYPOS, command.length() / 2))
                .toList();
    }

    /// How many letters to change, add or remove to get from one word to the other.
    private static int typos(String word, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= word.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int changed = diagonal + (word.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
