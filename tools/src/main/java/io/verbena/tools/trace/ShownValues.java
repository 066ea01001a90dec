package io.verbena.tools.trace;

import io.verbena.tools.trace.VerbRow.Show;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How [VerbTable] writes what is shown of a call:
///
/// | part | meaning |
/// |---|---|
/// | words | words for people: `{}` is the called object, `{0}` the first argument |
/// | `name=0` | the first argument, also for programs |
/// | `-> name` | what the call returned, also for programs |
/// | `:name` | an entry of [#SPECIAL] |
final class ShownValues {
    private static final Pattern ARGUMENT = Pattern.compile("\\{(\\d?)}");

    /// Values that take more than their text.
    private static final Map<String, Show> SPECIAL = special();

    private ShownValues() {}

    private static Map<String, Show> special() {
        Map<String, Show> all = new HashMap<>(DeviceVerbs.SHOWN);
        all.putAll(QueueVerbs.SHOWN);
        all.putAll(ConnectionVerbs.SHOWN);
        return all;
    }

    static Show of(List<String> parts) {
        List<Show> shows = parts.stream().map(ShownValues::of).toList();
        return (details, call) -> shows.forEach(show -> show.add(details, call));
    }

    private static Show of(String part) {
        String[] named = part.split("=");
        if (part.startsWith(":")) {
            return Objects.requireNonNull(SPECIAL.get(part.substring(1)), part);
        } else if (part.startsWith("-> ")) {
            return (details, call) -> details.gives(part.substring(3), call.text(call.result()));
        } else if (named.length == 2) {
            return (details, call) -> details.add(named[0], call.argument(Integer.parseInt(named[1])));
        }
        return (details, call) -> details.say(
                ARGUMENT.matcher(part).replaceAll(found -> Matcher.quoteReplacement(words(found.group(1), call))));
    }

    private static String words(String number, TracedCall call) {
        return number.isEmpty() ? call.name() : call.text(call.argument(Integer.parseInt(number)));
    }
}
