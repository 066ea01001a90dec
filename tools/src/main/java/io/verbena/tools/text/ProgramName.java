package io.verbena.tools.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// What to call a process: `verbena ping` for a command of Verbena.
public final class ProgramName {
    private static final String MAIN = "io.verbena.tools.Main";

    private ProgramName() {}

    /// @param commandLine as in `/proc/PID/cmdline`, with a zero after each word
    /// @return empty for a program that is not Verbena's
    public static String of(String commandLine) {
        String[] words = commandLine.split("\0");
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].endsWith(MAIN)) {
                return "verbena " + words[i + 1];
            }
        }
        return "";
    }

    /// As the other form, of a process of this host.
    public static String of(long pid) {
        try {
            return of(Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1));
        } catch (IOException notThere) {
            return "";
        }
    }
}
