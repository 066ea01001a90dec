package io.verbena.soft.os;

import io.verbena.soft.os.StoreBuffering.Half;
import java.lang.foreign.MemorySegment;

/// Another process that is the frequent side of [StoreBuffering] in memory of its parent, first without the fence and
/// then with it. Says before whether fences reach it.
final class FrequentProcess {
    private FrequentProcess() {}

    public static void main(String[] arguments) {
        long pid = Long.parseLong(arguments[0]);
        int fd = Integer.parseInt(arguments[1]);
        long nonce = Long.parseLong(arguments[2]);
        try (SealedMemory shared = SealedMemory.open(pid, fd, nonce, 2 * StoreBuffering.BYTES)) {
            System.out.println(AsymmetricFence.ON_HOST);
            MemorySegment memory = shared.memory();
            StoreBuffering.frequent(memory, Half.NONE);
            StoreBuffering.frequent(memory.asSlice(StoreBuffering.BYTES), Half.FREQUENT_SIDE);
        }
    }
}
