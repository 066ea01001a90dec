package io.verbena.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Commands that only the launcher of a source tree has, see `verbena` there.
final class LauncherCommands {
    /// Each command with its line in the help, in the order the help shows them.
    private static final Map<String, String> LINES = lines();

    static final List<String> ALL = List.copyOf(LINES.keySet());

    /// The largest number of typos in a word that is taken for another.
    private static final int MOST_TYPOS = 2;

    private LauncherCommands() {}

    private static Map<String, String> lines() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("run", "Runs a Java source file, such as examples/Hello.java, with Verbena.");
        lines.put("install", "Puts the library into the local Maven repository, for programs of your own.");
        lines.put("build", "Formats, checks and compiles everything, without running tests.");
        lines.put("test", "Runs the tests; test --all also those that take long or need a virtual machine.");
        lines.put("bench", "Measures Verbena side by side with its peers.");
        lines.put("jmh", "Runs the micro-benchmarks.");
        lines.put("spark", "Runs jobs of Apache Spark with its own shuffle and by RDMA, side by side.");
        lines.put("soak", "Keeps software devices busy for long, and checks that they stay sound.");
        lines.put("fuzz", "Searches for bytes that break a target: Decode, Live or Cm.");
        lines.put("jcstress", "Runs the queues of the software device under all interleavings.");
        lines.put("lab", "Starts a Linux guest with RDMA devices of the kernel, and tests against them.");
        lines.put("clean", "Removes what was built.");
        return lines;
    }

    /// The part of the help about them, in the columns of the other commands.
    static String help() {
        StringBuilder help = new StringBuilder("Commands that only ./verbena of a source tree has:%n".formatted());
        LINES.forEach((command, line) -> help.append("  %-10s  %s%n".formatted(command, line)));
        return help.toString();
    }

    /// Commands that somebody who typed `word` may have meant.
    static List<String> similarTo(String word) {
        return ALL.stream()
                .filter(command -> typos(word, command) <= Math.min(MOST_TYPOS, command.length() / 2))
                .toList();
    }

    /// Number of letters to change, add or remove to turn one word into the other.
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
