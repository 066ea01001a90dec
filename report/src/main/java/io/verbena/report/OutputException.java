package io.verbena.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// A file or standard output could not be written.
public final class OutputException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;
    /// @param target what was written
    public OutputException(String target, IOException cause) {
        super("cannot write " + target + ": " + reason(cause), cause);
    }

    /// Whether the reader of a pipe has left, as `head` does when it has enough. This needs no message.
    public boolean isReaderGone() {
        String told = getCause().getMessage();
        return told != null && told.equals(brokenPipe());
    }

    /// The system's message for a pipe without a reader. The JDK passes it on without the error number and in the
    /// user's language; so it is found out with a pipe of our own.
    private static String brokenPipe() {
        try {
            Pipe pipe = Pipe.open();
            pipe.source().close();
            try (Pipe.SinkChannel sink = pipe.sink()) {
                sink.write(ByteBuffer.allocate(1));
            }
            return null;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /// The message of a file system's exception is the name of the file.
    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "its folder does not exist";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException failed when failed.getReason() != null -> failed.getReason();
            case FileSystemException failed -> failed.getClass().getSimpleName();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
