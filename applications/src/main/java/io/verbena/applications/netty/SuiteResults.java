package io.verbena.applications.netty;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The results of a run of Netty's tests over one transport.
///
/// @param transport the transport's name
/// @param tests the last that is known of each test, by class and name
public record SuiteResults(String transport, Map<String, Test> tests) {
    /// Begins the lines that are results.
    static final String MARK = "#netty";

    /// What became of a test.
    ///
    /// @param className the simple name of its class
    /// @param name its name in the class
    /// @param status passed, failed, skipped, or start: it did not end
    /// @param timeMs how long it took
    /// @param reason why it did not pass
    public record Test(String className, String name, String status, long timeMs, String reason) {
        /// Whether it failed or did not end.
        public boolean bad() {
            return status.equals("failed") || status.equals("start");
        }
    }

    /// Reads the lines that a process of the tests has printed.
    public static SuiteResults parse(String transport, List<String> lines) {
        Map<String, Test> tests = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            if (parts.length == 6 && parts[0].equals(MARK)) {
                String name = parts[3].replaceAll("@[0-9a-f]+", ""); // of objects that have no name
                Test test = new Test(parts[2], name, parts[1], Long.parseLong(parts[4]), parts[5]);
                tests.put(test.className() + "." + test.name(), test);
            }
        }
        return new SuiteResults(transport, tests);
    }

    /// The tests of each class.
    Map<String, List<Test>> byClass() {
        Map<String, List<Test>> classes = new TreeMap<>();
        for (Test test : tests.values()) {
            classes.computeIfAbsent(test.className(), name -> new java.util.ArrayList<>())
                    .add(test);
        }
        return classes;
    }

    /// How many passed.
    public long passed() {
        return tests.values().stream()
                .filter(test -> test.status().equals("passed"))
                .count();
    }

    /// Those that fail here and not there, or that are missing here.
    public List<String> worseThan(SuiteResults there) {
        return there.tests().entrySet().stream()
                .filter(entry -> !entry.getValue().bad())
                .filter(entry -> tests.get(entry.getKey()) == null
                        || tests.get(entry.getKey()).bad())
                .map(entry -> entry.getKey() + ": " + describe(tests.get(entry.getKey())))
                .toList();
    }

    private static String describe(Test test) {
        return test == null ? "did not run" : test.status().equals("start") ? "did not end" : test.reason();
    }
}
