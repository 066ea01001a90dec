import module io.verbena.soft;
import module io.verbena.verbs;

/// Chapter 15: two hosts on a simulated network that loses packets. The clock is virtual, so seconds of timeouts pass
/// in milliseconds, and the same seed gives the same run.
static final int MESSAGES = 1000;

void main() {
    SimulatedFabric fabric = new SimulatedFabric(42).latency(Duration.ofNanos(50_000));
    SimulatedHost left = fabric.host("10.0.0.1");
    SimulatedHost right = fabric.host("10.0.0.2");
    Context here = left.device().open();
    Context there = right.device().open();
    try {
        QueuePair sender = queuePair(here);
        QueuePair receiver = queuePair(there);
        connect(sender, receiver, there.gid(1, 0));
        connect(receiver, sender, here.gid(1, 0));

        IO.println("no faults:         " + transfer(fabric, sender, receiver));
        fabric.faults(FaultPlan.none().withLoss(0.1).withDuplicate(0.05).withReorder(0.05));
        IO.println("10 % are lost:     " + transfer(fabric, sender, receiver));
        FaultCounters seen = fabric.counters(left.address(), right.address());
        IO.println("packets to the receiver: " + seen.frames() + ", lost: " + seen.count(Fault.LOSS));

        right.goDown(); // a cable is pulled
        Duration before = fabric.elapsed();
        sender.post(sender.newSendRequest().send().empty().signaled());
        sender.sendCq().poll(completion -> IO.println("no peer any more:  " + completion.status()), 1, Duration.ofMinutes(1));
        IO.println("known after " + fabric.elapsed().minus(before).toMillis() + " virtual ms");
    } finally {
        here.closeAll();
        there.closeAll();
    }
}

QueuePair queuePair(Context context) {
    return context.allocateProtectionDomain().createQueuePair(QueuePairOptions.rc(context.createCompletionQueue(64)));
}

/// Sends numbered messages and checks that they arrive in order, each once.
String transfer(SimulatedFabric fabric, QueuePair sender, QueuePair receiver) {
    Duration before = fabric.elapsed();
    int[] next = new int[1];
    for (int n = 0; n < MESSAGES; n++) {
        receiver.post(receiver.newReceiveRequest().empty());
        sender.post(sender.newSendRequest().sendWithImmediate(n).empty().signaled());
        sender.sendCq().poll(completion -> {}, 1, Duration.ofSeconds(30)); // virtual seconds
        receiver.receiveCq().poll(completion -> next[0] += completion.immediate() == next[0] ? 1 : 0, 1);
    }
    return next[0] + " messages in order, " + fabric.elapsed().minus(before).toMillis() + " virtual ms";
}

void connect(QueuePair qp, QueuePair peer, Gid address) {
    qp.modify(QueuePairChange.toInit());
    qp.modify(QueuePairChange.toRtr(AddressVector.to(address), peer.number(), 0));
    qp.modify(QueuePairChange.toRts(0));
}
