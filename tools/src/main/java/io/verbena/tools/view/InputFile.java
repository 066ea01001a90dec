package io.verbena.tools.view;

import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/// What a file is, from its first bytes: names tell nothing.
enum InputFile {
    TRACE,
    PCAP,
    PCAPNG,
    /// Of the flight recorder.
    RECORDING;

    private static final Set<Integer> PCAP_MAGIC = Set.of(0xA1B2_C3D4, 0xD4C3_B2A1, 0xA1B2_3C4D, 0x4D3C_B2A1);
    private static final int PCAPNG_MAGIC = 0x0A0D_0D0A;
    private static final int RECORDING_MAGIC = 0x464C_5200; // "FLR\0"

    static InputFile of(Path file) {
        byte[] first;
        try (InputStream in = Files.newInputStream(file)) {
            first = in.readNBytes(Integer.BYTES);
        } catch (NoSuchFileException e) {
            throw new ProgramException(
                    "no file " + file + "; programs write traces with --trace-file, devices captures with"
                            + " -Dverbena.soft.capture=FILE",
                    e);
        } catch (IOException e) {
            throw new ProgramException("cannot read " + file + ": " + e.getMessage(), e);
        }
        int magic = first.length < Integer.BYTES ? 0 : ByteBuffer.wrap(first).getInt();
        if (magic == RECORDING_MAGIC) {
            return RECORDING;
        }
        return PCAP_MAGIC.contains(magic) ? PCAP : magic == PCAPNG_MAGIC ? PCAPNG : TRACE;
    }

    /// For a file that is none of them.
    static String refusal(Path file) {
        return file + " is neither a trace nor a capture nor a recording. Give the file that a program writes with"
                + " --trace-file (what --trace prints is for people), a capture in the format pcap or pcapng, or a .jfr"
                + " file of the flight recorder";
    }
}
