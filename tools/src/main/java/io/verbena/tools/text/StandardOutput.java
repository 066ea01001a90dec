package io.verbena.tools.text;

import io.verbena.report.OutputException;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;

/// Standard output that throws an [OutputException] when it cannot be written. [PrintWriter] and `System.out` hide I/O
/// errors, but pass on this exception.
public final class StandardOutput extends Writer {
    private final Writer out;

    StandardOutput(Writer out) {
        this.out = out;
    }

    /// The standard output of the process.
    public static PrintWriter open() {
        return on(new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), System.out.charset())));
    }

    /// Another output, for tests.
    public static PrintWriter on(Writer out) {
        return new PrintWriter(new StandardOutput(out), true);
    }

    private static OutputException failed(IOException e) {
        return new OutputException("to standard output", e);
    }

    @Override
    public void write(char[] characters, int offset, int length) {
        try {
            out.write(characters, offset, length);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() {
        flush();
    }
}
