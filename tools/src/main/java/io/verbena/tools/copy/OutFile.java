package io.verbena.tools.copy;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// Where a server saves what arrives: FILE for its first client, FILE.2, FILE.3 ... for the next ones.
final class OutFile {
    private static final int PIECE_BYTES = 1 << 26;

    private final Path file;
    private final boolean overwrite;
    private final AtomicInteger saved = new AtomicInteger();

    OutFile(Path file, boolean overwrite) {
        this.file = file;
        this.overwrite = overwrite;
    }

    /// Throws when it is clear beforehand that nothing can be saved.
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

    /// Returns the file it is in.
    Path save(MemorySegment bytes) {
        int number = saved.incrementAndGet();
        Path path = number == 1 ? file : file.resolveSibling(file.getFileName() + "." + number);
        Set<StandardOpenOption> how = overwrite
                ? Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING)
                : Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        try (FileChannel channel = FileChannel.open(path, how)) {
            for (long at = 0; at < bytes.byteSize(); ) {
                at += channel.write(bytes.asSlice(at, Math.min(PIECE_BYTES, bytes.byteSize() - at))
                        .asByteBuffer());
            }
            return path;
        } catch (FileAlreadyExistsException e) {
            throw exists(path);
        } catch (IOException e) {
            throw new ProgramException("cannot save what arrived in " + path + ": " + e.getMessage(), e);
        }
    }
}
