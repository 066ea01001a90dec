package io.verbena.soft.qp;

import io.verbena.roce.packet.RnrTimer;
import io.verbena.roce.packet.Syndrome;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.engine.PacketView;
import io.verbena.soft.engine.Timer;
import io.verbena.soft.local.LocalDevice;
import io.verbena.soft.local.LocalEnd;
import io.verbena.soft.local.LocalLink;
import io.verbena.soft.os.BiasedLock;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AsyncEventType;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.BooleanSupplier;

/// A reliable connection to a queue pair of this host, through memory that both have mapped: no packets, no sequence
/// numbers, nothing to repeat. Its two roles work under a lock each, in whatever thread posts or polls; what is rare
/// (lanes, verdicts, timers, failures) is done here, by the engine's owner.
///
/// Lock order: poll lock, engine, send lock, responder lock. A thread that holds a lock of a role only tries the
/// engine.
final class LocalPath implements ReliablePath, LocalEnd {
    private static final VarHandle ENGINE_WANTED;

    static {
        try {
            ENGINE_WANTED = MethodHandles.lookup().findVarHandle(LocalPath.class, "engineWanted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int NEED_RESOURCES = Access.bits(Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    private static final int FOR_EVER = 7;
    /// How soon a lane is looked for again that is not there yet; the peer rings when it makes it, if it can.
    private static final long LOOK_FOR_LANE_NS = 10_000_000;

    private static final long LOOK_SELDOM_NS = 320_000_000;

    /// Completions and turns that ending a connection takes, so that a peer that never stops cannot keep a connection
    /// from
    /// ending.
    private static final int MOST_TAKEN = 1 << 14;

    final ReliableConnection service;
    final Engine engine;
    private final LocalDevice device;
    private final LocalResponder responder;
    private final LocalRequester requester;
    private final LocalCompleter completer;
    private final BiasedLock sendLock;
    private LocalLink link;
    private int engineWanted;
    private volatile RuntimeException fault;
    private boolean reported;
    private CompletionStatus failureOfHead;

    private int rnrRetriesLeft;
    private int retriesLeft;
    private int timeoutsInARow;
    private long progressSeen;
    /// How far entries went when the timer was armed: what came later has not waited that long.
    private long tailSeen;

    private boolean receiverNotReady;
    private long lookForLaneNs;

    private final Timer livenessTimer = new Timer() {
        @Override
        public void onExpiry(long nowNs) {
            onLivenessTimeout(nowNs);
        }
    };
    private final Timer receiverNotReadyTimer = new Timer() {
        @Override
        public void onExpiry(long nowNs) {
            receiverNotReady = false;
            link.lane().goOn();
            link.lane().wakeResponder();
            link.tellPeer();
            armLiveness(nowNs);
        }
    };
    private final Timer laneTimer = new Timer() {
        @Override
        public void onExpiry(long nowNs) {
            attach(nowNs);
        }
    };

    LocalPath(ReliableConnection service) {
        this.service = service;
        this.engine = service.engine;
        this.device = engine.local();
        this.responder = new LocalResponder(this);
        this.requester = new LocalRequester(this, responder);
        this.completer = requester.completer();
        this.sendLock = service.qp.sendLock();
    }

    /// Runs a task of the control path with the requester and the completer in hand.
    private void locked(Runnable task) {
        sendLock.lock();
        try {
            task.run();
        } finally {
            sendLock.unlock();
        }
    }

    private boolean test(BooleanSupplier question) {
        sendLock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            sendLock.unlock();
        }
    }

    /// The link of the connection to come.
    void link(LocalLink to) {
        link = to;
    }

    @Override
    public LocalLink link() {
        return link;
    }

    @Override
    public List<BiasedLock> copyLocks() {
        return List.of(sendLock, responder.lock);
    }

    @Override
    public long messages() {
        return requester.messages();
    }

    // ---- posting; under the send lock ----

    /// Takes a checked request; false when the path is not in use any more, and the engine must see to it.
    boolean post(SoftSendRequest request) {
        return requester.post(request);
    }

    void makeRoom() {
        completer.retireUnreported();
    }

    // ---- calling the engine; from any thread ----

    /// Something is for the engine's owner; [#callEngineIfWanted] follows when no lock of a role is held.
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
        receiverNotReady = false;
        lookForLaneNs = LOOK_FOR_LANE_NS;
        responder.start(link);
        service.qp.receiveCq().add(responder);
        service.qp.sendCq().add(completer);
        device.add(this);
        engine.onLocalPathUsed();
        attach(engine.nowNs());
    }

    @Override
    public void startSending() {
        locked(requester::start);
        resetRetries();
        joinLane();
    }

    private void resetRetries() {
        rnrRetriesLeft = service.settings.rnrRetry;
        retriesLeft = service.settings.retryCount;
        timeoutsInARow = 0;
    }

    @Override
    public void takeDrainedSettings() {
        locked(requester::forgetTimer);
    }

    /// What the peer may do by itself. In RTR it must not: this side's program is to hear of its first request.
    @Override
    public void onChanged() {
        QueuePairState state = service.state();
        if (state == QueuePairState.RTS || state == QueuePairState.SQD) {
            int denied = service.settings.maxDestinationReadAtomic == 0 ? NEED_RESOURCES : 0;
            link.own()
                    .accept(
                            service.settings.access & ~denied,
                            service.qp.protectionDomain().id());
        } else {
            link.own().refuse();
        }
        locked(requester::update);
        service.activate();
    }

    /// What the peer put into the lane before this side ends the traffic counts, and the peer hears of it.
    @Override
    public void finishReceiving() {
        // While another thread holds the lock, this one could take nothing. Only the engine's owner holds both locks.
        responder.lock.lock();
        try {
            int left = MOST_TAKEN;
            while (left > 0 && responder.hasNext()) {
                left -= 1 + service.qp.receiveCq().takeAll(responder, left);
            }
            responder.publishExecuted();
        } finally {
            responder.lock.unlock();
        }
    }

    @Override
    public void stop() {
        engine.timers().cancel(livenessTimer);
        engine.timers().cancel(receiverNotReadyTimer);
        engine.timers().cancel(laneTimer);
        service.qp.receiveCq().remove(responder);
        service.qp.sendCq().remove(completer);
        locked(() -> {
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
        return test(requester::isDrained);
    }

    @Override
    public int receivePsn() {
        return service.settings.receivePsn;
    }

    @Override
    public int sendPsn() {
        return service.settings.sendPsn;
    }

    // ---- the peer's lane ----

    private boolean isSending() {
        QueuePairState state = service.state();
        return state == QueuePairState.RTS || state == QueuePairState.SQD;
    }

    /// Sends into the peer's lane from now on, if it is there and its responder is in step.
    private void joinLane() {
        if (link.lane() != null && link.lane().firstPsn() == service.settings.sendPsn) {
            locked(() -> requester.attach(link.lane()));
        }
    }

    private void attach(long nowNs) {
        if (link.lane() != null) {
            return;
        }
        switch (link.attach(service.qp.sendCq().slot().index())) {
            case ATTACHED -> {
                if (isSending()) {
                    joinLane();
                    locked(requester::update);
                }
                service.activate();
            }
            case NETWORK -> {
                if (device.mayUseNetwork()) {
                    service.fallBack();
                }
            }
            case WAITING -> {
                engine.timers().arm(laneTimer, nowNs + lookForLaneNs);
                lookForLaneNs = Math.min(2 * lookForLaneNs, LOOK_SELDOM_NS);
                if (isSending()) {
                    armLiveness(nowNs);
                }
            }
        }
    }

    /// One connection has one path. A packet for it means that the peer may have decided for the network.
    @Override
    public Counter admits(PacketView packet, long sourceHigh, long sourceLow) {
        if (link.lane() == null) {
            service.activate();
        }
        return Counter.DROPPED_LOCAL;
    }

    @Override
    public void onPacket(PacketView packet, long nowNs) {}

    // ---- turns of the engine ----

    @Override
    public int emit(long nowNs, int budget) {
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
        if (link.lane() == null) {
            attach(nowNs);
            if (!service.isLocal()) {
                return 0;
            }
        }
        if (link.lane() != null && link.lane().hasVerdict()) {
            onVerdict(nowNs);
        }
        return service.isLocal() ? send(nowNs) : 0;
    }

    private int send(long nowNs) {
        boolean more = true;
        while (more) {
            locked(this::retireAndEmit);
            more = failureOfHead == null && test(() -> requester.carryOutLocalOperation(service.local()));
        }
        if (failureOfHead != null) {
            fail(failureOfHead);
        } else if (service.isLocal()) {
            armLiveness(nowNs);
        }
        return 0;
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
        service.enterError();
        return true;
    }

    /// Ends the oldest request with an error, and with it the connection.
    private void fail(CompletionStatus status) {
        locked(completer::retireDone);
        if (service.sends.head() < service.sends.tail()) {
            service.completions.end(status);
        }
        service.enterError();
    }

    // ---- what the peer says ----

    @Override
    public void onNews() {
        link.closeDescriptorIfAttached();
        service.activate();
    }

    private void onVerdict(long nowNs) {
        int syndrome = link.lane().verdictSyndrome();
        locked(() -> completer.retireBefore(link.lane().verdictPosition()));
        if (!service.isLocal() || !test(requester::isWaiting)) {
            return; // a full completion queue ended the connection, or a verdict about nothing
        }
        if (!Syndrome.isRnrNak(syndrome)) {
            engine.counters().increment(Counter.ERROR_NAKS_RECEIVED);
            fail(Completer.statusOf(syndrome));
            return;
        }
        engine.counters().increment(Counter.RNR_NAKS_RECEIVED);
        noteProgress();
        if (rnrRetriesLeft == 0) {
            engine.counters().increment(Counter.RETRIES_EXCEEDED);
            fail(CompletionStatus.RNR_RETRY_EXCEEDED);
            return;
        }
        if (rnrRetriesLeft != FOR_EVER) {
            rnrRetriesLeft--;
        }
        receiverNotReady = true;
        engine.timers().cancel(livenessTimer);
        engine.timers().arm(receiverNotReadyTimer, nowNs + RnrTimer.nanoseconds(Syndrome.timerCode(syndrome)));
    }

    private boolean noteProgress() {
        long progress = completer.progress();
        boolean moved = progress != progressSeen;
        progressSeen = progress;
        if (moved) {
            resetRetries();
        }
        return moved;
    }

    // ---- a peer that stands still ----

    /// As on the network: the peer stands still for the timeout once and for each retry, with the waits that follow
    /// a timeout longer.
    private void armLiveness(long nowNs) {
        long timeoutNs = service.settings.timeoutNs();
        boolean due = !receiverNotReady && !livenessTimer.isArmed() && test(requester::startsWaiting);
        if (due && timeoutNs > 0) {
            noteProgress();
            tailSeen = requester.tail();
            engine.timers().arm(livenessTimer, nowNs + (timeoutNs << Math.min(timeoutsInARow, 2)));
        }
    }

    private void onLivenessTimeout(long nowNs) {
        if (!test(requester::stillWaits)) {
            return;
        }
        if (!noteProgress() && test(() -> requester.isStuckAt(tailSeen))) {
            engine.counters().increment(Counter.ACK_TIMEOUTS);
            if (retriesLeft == 0) {
                giveUp();
                return;
            }
            retriesLeft--;
            timeoutsInARow++;
        }
        armLiveness(nowNs);
    }

    private void giveUp() {
        engine.counters().increment(Counter.RETRIES_EXCEEDED);
        fail(CompletionStatus.RETRY_EXCEEDED);
    }

    /// What is on the way will not be answered. A connection of the connection manager ends; one that was made by hand
    /// goes on waiting for receives, as on any device.
    @Override
    public void onPeerGone() {
        if (service.sends.head() < service.sends.tail()) {
            giveUp();
        }
        service.onPeerGone();
    }
}
