package io.verbena.tools.copy;

import io.verbena.report.OutputException;
import io.verbena.report.OutputFile;
import io.verbena.tools.program.ProgramException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/// The file that a server saves to: FILE for its first client, FILE.2, FILE.3 ... for the next ones.
final class OutFile {
    private static final int PIECE_BYTES = 1 << 20;

    private final Path file;
    private final boolean overwrite;
    private final AtomicInteger saved = new AtomicInteger();

    OutFile(Path file, boolean overwrite) {
        this.file = file;
        this.overwrite = overwrite;
    }

    /// Throws when it is clear in advance that nothing can be saved.
    OutFile requireUsable() {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
            throw new ProgramException("--out " + file + ": "
                    + (Files.isDirectory(file) ? "it is a folder" : "there is no folder " + folder)
                    + "; name a file in a folder that exists");
        }
        if (Files.exists(file) && !overwrite) {
            throw exists(file);
        }
        return this;
    }

    private static ProgramException exists(Path path) {
        return new ProgramException("--out " + path + " exists already; --force overwrites it");
    }

    /// Saves the bytes and returns their file.
    Path save(MemorySegment bytes) {
        int number = saved.incrementAndGet();
        Path path = number == 1 ? file : file.resolveSibling(file.getFileName() + "." + number);
        try {
            OutputFile.write(path, overwrite, out -> {
                byte[] piece = new byte[PIECE_BYTES];
                for (long at = 0; at < bytes.byteSize(); at += PIECE_BYTES) {
                    int length = (int) Math.min(PIECE_BYTES, bytes.byteSize() - at);
                    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, piece, 0, length);
                    out.write(piece, 0, length);
                }
            });
            return path;
        } catch (FileAlreadyExistsException e) {
            throw exists(path);
        } catch (OutputException e) {
            throw new ProgramException("what arrived is not saved: " + e.getMessage(), e);
        }
    }
}
