package io.verbena.tools.top;

import io.verbena.tools.program.ProgramException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The terminal of this process, which gives each key at once and shows no cursor, until it is closed. It is restored
/// also when the process is ended by a signal.
final class Terminal implements AutoCloseable {
    private static final File TTY = new File("/dev/tty");
    private static final int PATIENCE_SECONDS = 5;

    private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[?25l";
    private static final String USUAL_SCREEN = "\u001b[?25h\u001b[?1049l";
    /// Moves the cursor as far as it goes, and asks where it is.
    private static final String ASK_SIZE = "\u001b[9999;9999H\u001b[6n";

    private final String saved;
    private final Thread hook = new Thread(this::restore, "restore-terminal");
    private boolean isRestored;

    private Terminal(String saved) {
        this.saved = saved;
    }

    /// Whether a person is at both ends.
    static boolean isThere() {
        return System.console() != null && System.console().isTerminal() && TTY.exists();
    }

    static Terminal open() {
        Terminal terminal = new Terminal(stty("-g").strip());
        Runtime.getRuntime().addShutdownHook(terminal.hook);
        // Ctrl-Z would leave the shell with this terminal.
        stty("-icanon", "-echo", "min", "1", "time", "0", "susp", "undef");
        terminal.write(OTHER_SCREEN);
        return terminal;
    }

    /// Rows and columns.
    static int[] size() {
        String[] words = stty("size").strip().split(" ");
        try {
            return new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return new int[] {24, 80};
        }
    }

    /// The terminal answers with a [KeyReader.Size]. That costs no process, unlike [#size].
    void askSize() {
        write(ASK_SIZE);
    }

    /// Draws a whole screen.
    void draw(List<String> lines) {
        StringBuilder frame = new StringBuilder("\u001b[H");
        for (int i = 0; i < lines.size(); i++) {
            frame.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append("\u001b[K");
        }
        write(frame.append("\u001b[J").toString());
    }

    private synchronized void write(String text) {
        if (!isRestored) {
            System.out.print(text);
            System.out.flush();
        }
    }

    /// Runs `stty` on the terminal and returns what it prints.
    private static String stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(Arrays.asList(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(TTY)
                    .redirectErrorStream(true)
                    .start();
            String output = readAll(process.getInputStream());
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new ProgramException("cannot set up the terminal: " + String.join(" ", command) + " says "
                        + output.strip() + "; use --once");
            }
            return output;
        } catch (IOException e) {
            throw new ProgramException("cannot set up the terminal: " + e.getMessage() + "; use --once", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProgramException("interrupted", e);
        }
    }

    private static String readAll(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }

    private synchronized void restore() {
        if (!isRestored) {
            write(USUAL_SCREEN);
            isRestored = true;
            stty(saved);
        }
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyEnding) {
            // the hook has run or is waiting
        }
    }
}
