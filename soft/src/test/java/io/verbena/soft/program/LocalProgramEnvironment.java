package io.verbena.soft.program;

import io.verbena.soft.device.SimulatedEnvironment;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.local.WatchedNeighbourhood;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.rig.GuardedMemory;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.attr.Access;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// Devices of one host, which share memory. At random, programs poll, poll a little, wait for events, or leave
/// everything to the engines' steps; the environment is stepped between their rounds or not; and memory is shared or
/// private.
final class LocalProgramEnvironment implements ProgramEnvironment {
    /// So many rounds that idle connections are not polled each time any more.
    private static final Duration A_WHILE = Duration.ofMillis(400);

    private final SimulatedNetwork network;
    private final WatchedNeighbourhood neighbourhood = new WatchedNeighbourhood();
    private final Random random;
    private final int sharedOfFour;

    LocalProgramEnvironment(long seed) {
        network = new SimulatedNetwork(seed);
        random = new Random(~seed);
        // Nothing, all, or some.
        sharedOfFour = new int[] {0, 4, 1, 2, 3}[(int) Math.floorMod(seed, 5L)];
    }

    @Override
    public Context open(String address) {
        SimulatedEnvironment ground = new SimulatedEnvironment(network, random, neighbourhood);
        return new SoftDevice(InetAddress.ofLiteral(address), ground).open();
    }

    @Override
    public void poll(ProgramHost host) {
        switch (random.nextInt(8)) {
            case 0, 1 -> {} // the engines' steps queue what there is
            case 2 -> host.poll(1);
            case 3 -> host.poll(1 + random.nextInt(4));
            case 4 -> host.arm(random.nextInt(3) == 0);
            default -> host.poll(64);
        }
        neighbourhood.scanLanes();
    }

    @Override
    public boolean runUntil(BooleanSupplier ready, Duration timeout) {
        boolean done = network.runUntil(() -> isReady(ready, random.nextInt(4)), timeout.toNanos());
        // Where nothing happens any more, programs have the time to poll what there is.
        return done || isReady(ready, 100);
    }

    private boolean isReady(BooleanSupplier ready, int moreRounds) {
        neighbourhood.scanLanes();
        if (random.nextInt(100) == 0) {
            network.run(A_WHILE);
        }
        boolean now = ready.getAsBoolean();
        for (int round = 0; !now && round < moreRounds; round++) {
            now = ready.getAsBoolean();
        }
        return now;
    }

    @Override
    public boolean hasEvents() {
        return true;
    }

    /// Sometimes so many that idle ones are not polled each time.
    @Override
    public int connections() {
        return 1 + random.nextInt(4);
    }

    @Override
    public GuardedMemory memory(ProtectionDomain pd, int bytes, Access... rights) {
        return random.nextInt(4) < sharedOfFour
                ? GuardedMemory.allocated(pd, bytes, rights)
                : new GuardedMemory(pd, bytes, rights);
    }

    @Override
    public void onPosting() {
        neighbourhood.scanLanes();
    }

    @Override
    public void note(String what) {
        neighbourhood.note(what);
    }

    Map<String, Integer> seen() {
        neighbourhood.scanLanes();
        return neighbourhood.seen();
    }

    @Override
    public void close() {
        neighbourhood.close();
    }
}
