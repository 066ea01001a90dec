package io.verbena.tools.copy;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The data that the client copies: a text or the content of a file.
record CopyPayload(String name, long length, Filler filler) {
    private static final int PIECE_BYTES = 1 << 26;

    @FunctionalInterface
    interface Filler {
        void fill(MemorySegment memory) throws IOException;
    }

    static CopyPayload ofText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new CopyPayload("the text", bytes.length, memory -> memory.copyFrom(MemorySegment.ofArray(bytes)))
                .checked();
    }

    static CopyPayload ofFile(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new ProgramException(
                    file + (Files.exists(file) ? " is no file" : " does not exist") + "; --file names a file to copy");
        }
        try {
            return new CopyPayload(file.toString(), Files.size(file), memory -> read(file, memory)).checked();
        } catch (IOException e) {
            throw new ProgramException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private CopyPayload checked() {
        if (length == 0) {
            throw new ProgramException(name + " is empty: there is nothing to copy");
        }
        if (length > BufferAttributes.LONGEST) {
            throw new ProgramException(name + " has " + length + " bytes; the protocol's length has 32 bits, so that "
                    + BufferAttributes.LONGEST + " is the most: copy it in parts");
        }
        return this;
    }

    /// Writes the data into memory of its length.
    void fill(MemorySegment memory) {
        try {
            filler.fill(memory);
        } catch (IOException e) {
            throw new ProgramException("cannot read " + name + ": " + e.getMessage(), e);
        }
    }

    private static void read(Path file, MemorySegment memory) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            for (long at = 0; at < memory.byteSize(); ) {
                var piece = memory.asSlice(at, Math.min(PIECE_BYTES, memory.byteSize() - at));
                int got = channel.read(piece.asByteBuffer());
                if (got < 0) {
                    throw new IOException("it became shorter meanwhile: " + at + " of " + memory.byteSize() + " bytes");
                }
                at += got;
            }
        }
    }
}
