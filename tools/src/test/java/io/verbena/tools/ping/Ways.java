package io.verbena.tools.ping;

import java.util.List;
import java.util.stream.Stream;

/// Values of `--cm` and `--wait`.
record Ways(String cm, String completions) {
    static final List<Ways> ALL = Stream.of("sync", "thread", "poll")
            .flatMap(cm -> Stream.of("spin", "notify", "poll").map(wait -> new Ways(cm, wait)))
            .toList();

    /// One of each.
    static final List<Ways> DIAGONAL =
            List.of(new Ways("sync", "spin"), new Ways("thread", "notify"), new Ways("poll", "poll"));
}
