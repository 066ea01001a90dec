package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.roce.packet.Icrc;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How many damaged packets over IPv4 a receiver takes that does not see their identification. More of them with
/// `-Dverbena.damage.packets=3000000`.
class DamageTest {
    private static final int PACKETS = Integer.getInteger("verbena.damage.packets", 100_000);
    private static final long SEED = 20261116;
    private static final int LENGTH = 200;
    private static final int BTH_BYTES = 12;
    private static final int PEER = 0x0A00_0001;
    private static final int SELF = 0x0A00_0002;
    private static final long GID = 0xFFFF_0000_0000L;
    private static final int PORT = 50_000;
    private static final long MS = 1_000_000;

    private enum Sender {
        ZEROS(1000, 0, (id, random) -> 0),
        SEGMENTS(0, 0, (id, random) -> (id + 1) % 64),
        COUNTING(0, 0, (id, random) -> id + 1),
        /// The identification advances by up to one for each tick since the last packet; while the sender is busy, it
        /// counts.
        SOFT_ROCE_EACH_4_MS(4, 0, (id, random) -> id + 1 + random.nextInt(4)),
        SOFT_ROCE_EACH_SECOND(1000, 2100, (id, random) -> id + 1 + random.nextInt(1000)),
        UNORDERED(0, 0x10000, (id, random) -> random.nextInt(0x10000));

        private final int pauseMs;
        /// Identifications that are possible for the next packet, where that is more than the goal allows.
        private final int window;

        private final BiFunction<Integer, SplittableRandom, Integer> next;

        Sender(int pauseMs, int window, BiFunction<Integer, SplittableRandom, Integer> next) {
            this.pauseMs = pauseMs;
            this.window = window;
            this.next = next;
        }

        int next(int id, SplittableRandom random) {
            return next.apply(id, random) & 0xFFFF;
        }
    }

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final IdentificationCheck check = new IdentificationCheck(() -> false);
    private final Icrc icrc = new Icrc();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(LENGTH + 4);
    private long nowNs;

    @ParameterizedTest
    @EnumSource
    void shouldTakeNoDamagedPacketFromASenderWithAnOrder(Sender sender) {
        byte[] content = new byte[LENGTH];
        random.nextBytes(content);
        int id = 1233;
        int passed = 0;
        for (int i = 0; i < PACKETS; i++) {
            id = sender.next(id, random);
            nowNs += sender.pauseMs * MS;
            packet.clear().put(content);
            Icrc.store(packet, LENGTH, icrc.compute(0, GID | PEER, 0, GID | SELF, PORT, id, packet, 0, LENGTH));
            assertTrue(accepts(), "packet " + i + " as it was sent");
            // The next packet, damaged.
            nowNs += sender.pauseMs * MS;
            id = sender.next(id, random);
            Icrc.store(packet, LENGTH, icrc.compute(0, GID | PEER, 0, GID | SELF, PORT, id, packet, 0, LENGTH));
            if (damage(i % 4)) {
                passed += accepts() ? 1 : 0;
            }
        }
        System.out.printf("%s: %d of %d damaged packets passed%n", sender, passed, PACKETS);
        long most = 4L * PACKETS * sender.window >> 32;
        assertTrue(passed <= most, passed + " damaged packets passed, seed " + SEED);
    }

    private boolean accepts() {
        int id = icrc.identification(0, GID | PEER, 0, GID | SELF, PORT, packet, 0, LENGTH + 4);
        if (id != Icrc.DAMAGED && check.accepts(PEER, PORT, SELF, id, nowNs)) {
            return true;
        }
        check.onDamage(PEER, PORT, SELF);
        return false;
    }

    /// False when the packet came out unchanged.
    private boolean damage(int kind) {
        int before = packet.clear().hashCode();
        switch (kind) {
            case 0 -> flip(2);
            case 1 -> flip(3);
            case 2 -> packet.putLong(BTH_BYTES + random.nextInt(LENGTH - BTH_BYTES - 8), random.nextLong());
            default -> {
                for (int at = LENGTH / 2; at < LENGTH; at += 4) {
                    packet.putInt(at, random.nextInt());
                }
            }
        }
        return packet.clear().hashCode() != before;
    }

    private void flip(int bits) {
        for (int i = 0; i < bits; i++) {
            int bit = random.nextInt(BTH_BYTES * 8, LENGTH * 8);
            packet.put(bit >> 3, (byte) (packet.get(bit >> 3) ^ 1 << (bit & 7)));
        }
    }
}
