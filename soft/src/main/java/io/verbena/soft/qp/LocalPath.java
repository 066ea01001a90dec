package io.verbena.soft.qp;

import io.verbena.roce.packet.RnrTimer;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.engine.Timer;
import io.verbena.soft.local.LaneLayout;
import io.verbena.soft.local.LanePair;
import io.verbena.soft.local.LocalConnection;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.os.BiasedLock;
import io.verbena.soft.os.FieldHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A reliable connection to a queue pair of this host, through memory that both processes have mapped: no packets, no
/// PSNs, no retransmission. Its requester and its responder each have a lock and run in the threads that post or poll.
/// Rare events (lanes, verdicts, failures) are handled here, by the engine's owner.
///
/// Lock order: poll lock, engine, send lock, responder lock. A thread that holds a lock of a role only tries the
/// engine.
final class LocalPath implements TransportPath, LocalConnection {
    private static final VarHandle ENGINE_WANTED = FieldHandle.of(MethodHandles.lookup(), "engineWanted", int.class);

    private static final int NEED_RESOURCES = Access.bits(Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    /// How soon to look again for a peer's lane that does not exist yet. Usually the peer rings the bell when it has
    /// created the lane.
    private static final long FIND_LANE_EVERY_NS = 10_000_000;

    /// The most bytes copied out of the peer's memory while the connection ends: some 10 ms of copying.
    private static final long FINISH_BYTES = 64L << 20;

    private static final long FIND_LANE_SELDOM_NS = 320_000_000;

    final ReliableConnection service;
    final Engine engine;
    private final LocalDevice device;
    private final LocalResponder responder;
    private final LocalRequester requester;
    private final LocalCompleter completer;
    private final BiasedLock sendLock;
    private LanePair lanes;
    private int engineWanted;
    private volatile RuntimeException fault;
    private boolean reported;
    private CompletionStatus failureOfHead;

    private final LocalRetries retries;
    private long findLaneNs;
    private final Timer laneTimer = Timer.running(this::attach);

    LocalPath(ReliableConnection service) {
        this.service = service;
        this.engine = service.engine;
        this.device = engine.local();
        this.responder = new LocalResponder(this);
        this.requester = new LocalRequester(this, responder);
        this.completer = requester.completer();
        this.sendLock = service.qp.sendLock();
        this.retries = new LocalRetries(this, requester);
    }

    /// Runs a task under the send lock, which guards the requester and the completer.
    void runLocked(Runnable task) {
        sendLock.lock();
        try {
            task.run();
        } finally {
            sendLock.unlock();
        }
    }

    boolean testLocked(BooleanSupplier question) {
        sendLock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            sendLock.unlock();
        }
    }

    /// Sets the lanes of the next connection.
    void lanes(LanePair to) {
        lanes = to;
    }

    @Override
    public LanePair lanes() {
        return lanes;
    }

    @Override
    public List<BiasedLock> copyLocks() {
        return List.of(sendLock, responder.lock);
    }

    @Override
    public long fetchedBytes() {
        return responder.fetchedBytes();
    }

    @Override
    public long messages() {
        return requester.messages();
    }

    // ---- posting; under the send lock ----

    /// Takes a checked request. False when the path is no longer in use; then the request must be queued for the
    /// engine.
    boolean post(SoftSendRequest request) {
        return requester.post(request);
    }

    void makeRoom() {
        completer.retireUnreported();
    }

    // ---- calling the engine; from any thread ----

    /// Requests a run of the engine. The caller calls [#callEngineIfWanted] after releasing the lock of its role.
    void wantEngine() {
        ENGINE_WANTED.setRelease(this, 1);
    }

    void callEngineIfWanted() {
        if ((int) ENGINE_WANTED.getOpaque(this) != 0 && (int) ENGINE_WANTED.getAndSet(this, 0) != 0) {
            engine.runSoon(service);
        }
    }

    void onFault(RuntimeException e) {
        fault = e;
        wantEngine();
    }

    // ---- control ----

    @Override
    public void startReceiving() {
        fault = null;
        reported = false;
        findLaneNs = FIND_LANE_EVERY_NS;
        responder.start(lanes);
        service.qp.receiveCq().add(responder);
        service.qp.sendCq().add(completer);
        device.add(this);
        engine.onLocalPathUsed();
        attach(engine.nowNs());
    }

    @Override
    public void startSending() {
        runLocked(requester::start);
        retries.reset();
        joinLane();
    }

    @Override
    public void applyDrainedSettings() {
        runLocked(requester::forgetTimer);
    }

    /// Publishes which direct accesses the peer may make. None in RTR: the program must be notified of the first
    /// request.
    @Override
    public void onChanged() {
        QueuePairState state = service.state();
        if (state == QueuePairState.RTS || state == QueuePairState.SQD) {
            int denied = service.settings.maxDestinationReadAtomic == 0 ? NEED_RESOURCES : 0;
            lanes.ownLane()
                    .allowAccess(
                            service.settings.access & ~denied,
                            service.qp.protectionDomain().id());
        } else {
            lanes.ownLane().refuseAccess();
        }
        runLocked(requester::update);
        service.activate();
    }

    /// Entries that the peer wrote before this side ends the connection are still executed and acknowledged.
    @Override
    public void finishReceiving() {
        // Waits for the lock, because takeAll only tries it. Only the engine's owner holds both locks.
        responder.lock.lock();
        try {
            // One ring of entries at most, and a limited number of bytes: a peer that never stops cannot keep its
            // connection from ending.
            long end = responder.executed() + LaneLayout.REQUEST_CELLS;
            long endBytes = responder.fetchedBytes() + FINISH_BYTES;
            int turns = LaneLayout.REQUEST_CELLS;
            while (turns-- > 0
                    && responder.executed() < end
                    && responder.fetchedBytes() < endBytes
                    && responder.hasNext()) {
                service.qp.receiveCq().takeAll(responder, 1);
            }
            responder.publishExecuted();
        } finally {
            responder.lock.unlock();
        }
    }

    @Override
    public void stop() {
        retries.stop();
        engine.timers().cancel(laneTimer);
        service.qp.receiveCq().remove(responder);
        service.qp.sendCq().remove(completer);
        runLocked(() -> {
            if (service.state() == QueuePairState.ERR) {
                completer.retireDone();
            }
            requester.stop();
        });
        responder.stop();
        device.remove(this);
        requester.forgetMessages();
    }

    @Override
    public boolean isDrained() {
        return testLocked(requester::isDrained);
    }

    @Override
    public int receivePsn() {
        return service.settings.receivePsn;
    }

    @Override
    public int sendPsn() {
        return service.settings.sendPsn;
    }

    @Override
    public boolean isReceiverNotReady() {
        return retries.isReceiverNotReady();
    }

    // ---- the peer's lane ----

    private boolean isSending() {
        QueuePairState state = service.state();
        return state == QueuePairState.RTS || state == QueuePairState.SQD;
    }

    /// Begins to send through the peer's lane, if it exists and its responder expects the right first PSN.
    private void joinLane() {
        if (lanes.peerLane() != null && lanes.peerLane().firstPsn() == service.settings.sendPsn) {
            runLocked(() -> requester.attach(lanes.peerLane()));
        }
    }

    private void attach(long nowNs) {
        if (lanes.peerLane() != null) {
            return;
        }
        switch (lanes.attach(service.qp.sendCq().slot().index())) {
            case ATTACHED -> {
                if (isSending()) {
                    joinLane();
                    runLocked(requester::update);
                }
                service.activate();
            }
            case NETWORK -> {
                if (device.mayUseNetwork()) {
                    service.fallBack();
                }
            }
            case WAITING -> {
                engine.timers().arm(laneTimer, nowNs + findLaneNs);
                findLaneNs = Math.min(2 * findLaneNs, FIND_LANE_SELDOM_NS);
                if (isSending()) {
                    retries.armStandstillTimer(nowNs);
                }
            }
        }
    }

    /// A connection has one path. A packet for it means that the peer may have chosen the network.
    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (lanes.peerLane() == null) {
            service.activate();
        }
        return Counter.DROPPED_LOCAL;
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {}

    // ---- turns of the engine ----

    @Override
    public int emitPackets(long nowNs, int budget) {
        if (fault != null) {
            engine.onFault(service, fault);
            return 0;
        }
        if (responder.hasSeenRequest() && !reported) {
            reported = true;
            service.onRequest();
        }
        if (endedByResponder()) {
            return 0;
        }
        if (lanes.peerLane() == null) {
            attach(nowNs);
            if (!service.isLocal()) {
                return 0;
            }
        }
        if (lanes.peerLane() != null && lanes.peerLane().hasVerdict()) {
            onVerdict(nowNs);
        }
        return service.isLocal() ? send(nowNs) : 0;
    }

    private int send(long nowNs) {
        runLocked(() -> sendLocked(nowNs));
        if (failureOfHead != null) {
            fail(failureOfHead);
        }
        return 0;
    }

    private void sendLocked(long nowNs) {
        do {
            retireAndEmit();
        } while (failureOfHead == null && requester.executeKeyOperation(service.keyOperations()));
        if (failureOfHead == null && service.isLocal()) {
            retries.armStandstillTimer(nowNs);
        }
    }

    private void retireAndEmit() {
        completer.retireDone();
        requester.emit();
        completer.update();
        failureOfHead = completer.failureOfHead();
    }

    @Override
    public boolean hasMoreToEmit() {
        return false;
    }

    @Override
    public boolean sendAcknowledgement(long nowNs, boolean atOnce) {
        responder.publishExecuted();
        return true;
    }

    private boolean endedByResponder() {
        Verdict verdict = responder.failure();
        if (verdict == null) {
            return false;
        }
        if (verdict != Verdict.KEY_NOT_REVOCABLE) {
            engine.counters().increment(Counter.ERROR_NAKS_SENT);
        }
        service.raise(
                verdict == Verdict.REMOTE_ACCESS ? AsyncEventType.QP_ACCESS_ERROR : AsyncEventType.QP_REQUEST_ERROR);
        service.enterError(verdict.cause());
        return true;
    }

    /// Ends the oldest request with an error, and with it the connection.
    void fail(CompletionStatus status) {
        runLocked(() -> {
            completer.retireDone();
            if (service.sends.head() < service.sends.tail()) {
                service.completions.fail(status);
            }
        });
        service.enterError();
    }

    // ---- what the peer says ----

    @Override
    public void onNews() {
        lanes.closeDescriptorIfAttached();
        service.activate();
    }

    private void onVerdict(long nowNs) {
        int syndrome = lanes.peerLane().verdictSyndrome();
        runLocked(() -> completer.retireBefore(lanes.peerLane().verdictPosition()));
        if (!service.isLocal() || !testLocked(requester::isWaiting)) {
            return; // a full completion queue ended the connection, or a verdict about nothing
        }
        if (!Syndrome.isRnrNak(syndrome)) {
            engine.counters().increment(Counter.ERROR_NAKS_RECEIVED);
            fail(Completer.statusOf(syndrome));
            return;
        }
        engine.counters().increment(Counter.RNR_NAKS_RECEIVED);
        service.troubles.onRnrReceived();
        retries.onReceiverNotReady(nowNs, RnrTimer.nanoseconds(Syndrome.timerCode(syndrome)));
    }

    /// Makes the peer retry the entry for which it had no receive.
    void requestRetry() {
        lanes.peerLane().requestRetry();
        lanes.peerLane().wakeResponder();
        lanes.notifyPeer();
    }

    /// Requests in flight will not be answered. A connection of the connection manager ends. A queue pair that was
    /// connected by hand keeps its receives, as on any device.
    @Override
    public void onPeerGone() {
        if (service.sends.head() < service.sends.tail()) {
            retries.giveUp(CompletionStatus.RETRY_EXCEEDED);
        }
        service.onPeerGone(Errno.ECONNRESET);
    }
}
