package io.verbena.tools.program;

import io.verbena.roce.dump.GidText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Where on this host other processes run the same program, by the devices that they announce to neighbours: for
/// clients that asked at the wrong address. Reads a few files under `proc`, and asks no process anything.
record RunningServers(Path proc, long self) {
    /// A device's name among the Unix sockets: user, address, process, descriptor and nonce.
    private static final Pattern DEVICE = Pattern.compile(
            " @verbena-\\d+-(\\p{XDigit}{16})(\\p{XDigit}{16})-([1-9]\\d{0,8})-\\d+-\\p{XDigit}{16}$",
            Pattern.MULTILINE | Pattern.UNIX_LINES);

    private static final String MAIN = "io.verbena.tools.Main";

    /// Those of this machine, without this process.
    static RunningServers here() {
        return new RunningServers(Path.of("/proc"), ProcessHandle.current().pid());
    }

    /// Of a machine whose files are elsewhere.
    static RunningServers under(Path proc) {
        return new RunningServers(proc, 0);
    }

    /// `verbena ping` (process 4711) runs at 127.0.0.1 and 10.0.0.2; empty when nobody runs the program.
    ///
    /// @param program the name of its command, e.g. `ping`
    String text(String program) {
        return addresses().entrySet().stream()
                .map(process -> text(process.getKey(), process.getValue(), program))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private String text(long pid, Set<String> addresses, String program) {
        List<String> words = List.of(read("%d/cmdline".formatted(pid)).split("\0"));
        int main = -1;
        for (int i = 0; i < words.size() && main < 0; i++) {
            main = words.get(i).endsWith(MAIN) ? i : -1;
        }
        if (pid == self
                || main < 0
                || main + 1 == words.size()
                || !words.get(main + 1).equals(program)) {
            return "";
        }
        return "`verbena %s` (process %d) runs at %s"
                .formatted(
                        String.join(" ", words.subList(main + 1, words.size())), pid, String.join(" and ", addresses));
    }

    private Map<Long, Set<String>> addresses() {
        Map<Long, Set<String>> addresses = new TreeMap<>();
        Matcher device = DEVICE.matcher(read("net/unix"));
        while (device.find()) {
            String address = GidText.of(
                    Long.parseUnsignedLong(device.group(1), 16), Long.parseUnsignedLong(device.group(2), 16));
            addresses
                    .computeIfAbsent(Long.valueOf(device.group(3)), pid -> new TreeSet<>())
                    .add(address);
        }
        return addresses;
    }

    private String read(String file) {
        try {
            return Files.readString(proc.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException | UncheckedIOException absent) {
            return "";
        }
    }
}
