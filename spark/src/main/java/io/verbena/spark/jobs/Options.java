package io.verbena.spark.jobs;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What the arguments of `./verbena spark` ask for.
///
/// @param hosts those of a cluster that only the commands are wanted for; empty to run jobs
/// @param bytes what each job shuffles, about
/// @param rounds how often each way runs, in turn
/// @param repeats how often each application runs the jobs
/// @param page the file that table and plots go to; null for none
record Options(List<String> hosts, long bytes, List<Way> ways, List<Job> jobs, int rounds, int repeats, String page) {
    private static final String CLUSTER = "--cluster";
    private static final String MB = "--mb";
    private static final String WAYS = "--ways";
    private static final String JOBS = "--jobs";
    private static final String ROUNDS = "--rounds";
    private static final String REPEATS = "--repeats";
    private static final String PAGE = "--html";
    private static final Set<String> NAMES = Set.of(CLUSTER, MB, WAYS, JOBS, ROUNDS, REPEATS, PAGE);
    private static final int MOST_TIMES = 100;
    private static final long MEGABYTE = 1_000_000;
    private static final int MOST_MB = 1_000_000;

    /// Throws IllegalArgumentException, with what to write, when an argument is wrong.
    static Options parse(List<String> words) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < words.size(); i += 2) {
            String name = words.get(i);
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no option '%s'; see ./verbena spark --help".formatted(name));
            }
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException(name + " needs a value; see ./verbena spark --help");
            }
            given.put(name, words.get(i + 1));
        }
        return new Options(
                hosts(given.get(CLUSTER)),
                number(MB, given.getOrDefault(MB, "100"), MOST_MB) * MEGABYTE,
                list(WAYS, given.getOrDefault(WAYS, "TCP,RDMA"), Way.values()),
                list(JOBS, given.getOrDefault(JOBS, "GROUP,SORT,JOIN,FETCH"), Job.values()),
                number(ROUNDS, given.getOrDefault(ROUNDS, "1"), MOST_TIMES),
                number(REPEATS, given.getOrDefault(REPEATS, "3"), MOST_TIMES),
                given.get(PAGE));
    }

    private static List<String> hosts(String text) {
        List<String> hosts = text == null ? List.of() : List.of(text.split(",", -1));
        if (hosts.contains("")) {
            throw new IllegalArgumentException("%s is '%s'; write hosts with commas".formatted(CLUSTER, text));
        }
        return hosts;
    }

    private static int number(String option, String text, int most) {
        int number;
        try {
            number = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(
                    "%s is '%s'; write a whole number from 1 to %d".formatted(option, text, most));
        }
        return number;
    }

    private static <E extends Enum<E>> List<E> list(String option, String text, E[] all) {
        return Arrays.stream(text.split(",", -1))
                .map(name -> Arrays.stream(all)
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () -> new IllegalArgumentException("%s has '%s'; write one or more of %s, with commas"
                                        .formatted(option, name, Arrays.toString(all)))))
                .toList();
    }
}
