package io.verbena.bench.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A thread that sends forged packets to two devices until it is closed.
///
/// As in all RoCE, over UDP a peer is known only by its address and numbers. So there no packet has the peer's address,
/// the number of a queue pair and a correct checksum at once. Connections over shared memory take nothing from the
/// network, so any packet is sent to their devices.
final class Flood implements AutoCloseable {
    private static final int SOURCES = 8;
    private static final int BURST = 32;
    private static final long PAUSE_NS = 2_000_000;
    private static final int KINDS = 7;

    /// The victim of the packets.
    ///
    /// - `victim`, `peer`: addresses of the two connected devices
    /// - `service`: port of the victim's listener
    /// - `queuePairs`: current numbers of the victim's queue pairs
    /// - `strangers`: prefix of unused addresses
    record Target(
            SoakPath path,
            String victim,
            String peer,
            int service,
            Supplier<List<Integer>> queuePairs,
            String strangers) {}

    private final Target target;
    private final Random random;
    private final SoakCounters counters;
    private final List<Forger> strangers = new ArrayList<>();
    private final Forger asPeer;
    private final Forger toPeer;
    private final Thread thread;
    private volatile boolean ended;

    Flood(Target target, long seed, SoakCounters counters) throws IOException {
        this.target = target;
        this.counters = counters;
        random = new Random(seed);
        for (int i = 0; i < SOURCES; i++) {
            strangers.add(new Forger(target.strangers() + (101 + i), target.victim(), random));
        }
        asPeer = new Forger(target.peer(), target.victim(), random);
        toPeer = new Forger(target.strangers() + "100", target.peer(), random);
        thread = Thread.ofPlatform().daemon().name("flood").start(this::run);
    }

    private void run() {
        int kind = random.nextInt(KINDS);
        while (!ended) {
            if (random.nextInt(20) == 0) {
                kind = random.nextInt(KINDS);
            }
            for (int i = 0; i < BURST; i++) {
                send(kind);
            }
            counters.add(SoakCounters.Count.FORGED, BURST);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void send(int kind) {
        Forger stranger = strangers.get(random.nextInt(SOURCES));
        List<Integer> numbers = target.queuePairs().get();
        int number = numbers.isEmpty() ? 17 : numbers.get(random.nextInt(numbers.size()));
        switch (kind) {
            case 0 -> (random.nextBoolean() ? stranger : toPeer).randomBytes();
            case 1 -> asPeer.brokenChecksum(number);
            case 2 -> (random.nextBoolean() ? stranger : toPeer).unknownQueuePair();
            case 3 -> stranger.connectionRequest(target.service());
            case 4 -> toPeer.connectionRequest(random.nextInt(1024, 65_536));
            case 5 -> (random.nextBoolean() ? stranger : toPeer).otherConnectionMessage();
            default -> (target.path() == SoakPath.SHARED_MEMORY ? asPeer : stranger).request(number);
        }
    }

    @Override
    public void close() throws IOException {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Forger stranger : strangers) {
            stranger.close();
        }
        asPeer.close();
        toPeer.close();
    }
}
