package io.verbena.tools.view;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Opens a page in the user's browser.
final class BrowserWindow {
    private BrowserWindow() {}

    static void open(Path page) {
        String address = page.toAbsolutePath().toUri().toString();
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        List<String> command = system.contains("win")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", address)
                : List.of(system.contains("mac") ? "open" : "xdg-open", address);
        try {
            new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new ProgramException(
                    "the page is written, but " + command.getFirst() + " does not run: open " + page
                            + " in a browser, or use --no-open",
                    e);
        }
    }
}
