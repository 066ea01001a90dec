package io.verbena.soft.scale;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/// The other process of [ScaleTest]: answers a message on each of its queue pairs, and prints the memory that they use.
/// Its heap is fixed and touched before, so further growth of its memory is native.
public final class ScalePeer {
    static final int QUESTION = 1;
    static final int ANSWER = 2;
    private static final int WARM_UP = 50;
    private static final long PAGE_BYTES = 4096;

    private ScalePeer() {}

    private record Memory(long heap, long resident) {
        static Memory now() throws IOException {
            collect();
            long heap =
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            Path statm = Path.of("/proc/self/statm");
            long pages =
                    Files.exists(statm) ? Long.parseLong(Files.readString(statm).split(" ")[1]) : 0;
            return new Memory(heap, pages * PAGE_BYTES);
        }

        String perQueuePair(Memory before, int count) {
            return (heap - before.heap) / count + " " + (resident - before.resident) / count;
        }
    }

    /// Waits until the garbage is collected.
    private static void collect() {
        WeakReference<Object> witness = new WeakReference<>(new Object());
        for (int i = 0; i < 3 || witness.get() != null; i++) {
            System.gc();
        }
    }

    public static void main(String... args) throws IOException {
        InetAddress own = InetAddress.ofLiteral(args[0]);
        InetAddress peer = InetAddress.ofLiteral(args[1]);
        int count = Integer.parseInt(args[2]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        try (ManyQueuePairs all = new ManyQueuePairs(own, count)) {
            all.create(WARM_UP);
            all.connect(peer, "20 ".repeat(WARM_UP));
            all.closeQueuePairs();
            Memory before = Memory.now();
            all.create(count);
            System.out.println(all.numbers());
            all.connect(peer, in.readLine());
            String idle = Memory.now().perQueuePair(before, count);
            all.postReceives();
            System.out.println("ready");
            all.exchange(QUESTION, ANSWER);
            String used = Memory.now().perQueuePair(before, count);
            System.out.println(idle + " " + used);
            in.readLine();
        }
    }
}
