package io.verbena.conformance.bench;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import java.util.function.Consumer;

/// How two queue pairs are made and connected. Immutable: each method returns changed options.
public final class LinkOptions {
    /// MTU 1024, every remote right, patient timers, PSNs that soon wrap around on the left.
    public static final LinkOptions DEFAULT = new LinkOptions();

    private QueuePairType type = QueuePairType.RC;
    private Mtu mtu = Mtu.MTU_1024;
    private QueuePairCapabilities capabilities = new QueuePairCapabilities(64, 64, 4, 4, 64);
    private boolean signalAll;
    private Access[] access = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ};
    private Operation[] operations = {};
    private int timeout = 17; // half a second: a busy machine must not use up the retries
    private int retryCount = 7;
    private int rnrRetry = 7;
    private int minRnrTimer = 12;
    private int maxReadAtomic = 4;
    private int maxDestinationReadAtomic = 4;
    private int leftPsn = 0xFF_FFFA;
    private int rightPsn = 0x12_3456;
    private int completionEntries = 256;

    private LinkOptions() {}

    private LinkOptions(LinkOptions other) {
        type = other.type;
        mtu = other.mtu;
        capabilities = other.capabilities;
        signalAll = other.signalAll;
        access = other.access;
        operations = other.operations;
        timeout = other.timeout;
        retryCount = other.retryCount;
        rnrRetry = other.rnrRetry;
        minRnrTimer = other.minRnrTimer;
        maxReadAtomic = other.maxReadAtomic;
        maxDestinationReadAtomic = other.maxDestinationReadAtomic;
        leftPsn = other.leftPsn;
        rightPsn = other.rightPsn;
        completionEntries = other.completionEntries;
    }

    private LinkOptions with(Consumer<LinkOptions> change) {
        LinkOptions copy = new LinkOptions(this);
        change.accept(copy);
        return copy;
    }

    /// Unreliable ones ignore the timers and counts that their type does not have.
    public LinkOptions type(QueuePairType value) {
        return with(copy -> copy.type = value);
    }

    public QueuePairType type() {
        return type;
    }

    public LinkOptions mtu(Mtu value) {
        return with(copy -> copy.mtu = value);
    }

    public Mtu mtu() {
        return mtu;
    }

    public LinkOptions capabilities(int sends, int receives, int scatterGather, int inlineBytes) {
        return with(copy -> copy.capabilities =
                new QueuePairCapabilities(sends, receives, scatterGather, scatterGather, inlineBytes));
    }

    public QueuePairCapabilities capabilities() {
        return capabilities;
    }

    public LinkOptions signalAll(boolean value) {
        return with(copy -> copy.signalAll = value);
    }

    public boolean signalAll() {
        return signalAll;
    }

    /// Rights of the queue pairs, on both sides.
    public LinkOptions access(Access... rights) {
        return with(copy -> copy.access = rights.clone());
    }

    public Access[] access() {
        return access.clone();
    }

    /// Operations that must be named before they are posted, on both sides.
    public LinkOptions operations(Operation... named) {
        return with(copy -> copy.operations = named.clone());
    }

    public Operation[] operations() {
        return operations.clone();
    }

    /// Acknowledgement timeout code and how often to retry.
    public LinkOptions retries(int timeoutCode, int count) {
        return with(copy -> {
            copy.timeout = timeoutCode;
            copy.retryCount = count;
        });
    }

    public int timeout() {
        return timeout;
    }

    public int retryCount() {
        return retryCount;
    }

    /// RNR timer code and how often to retry.
    public LinkOptions rnr(int timerCode, int retries) {
        return with(copy -> {
            copy.minRnrTimer = timerCode;
            copy.rnrRetry = retries;
        });
    }

    public int minRnrTimer() {
        return minRnrTimer;
    }

    public int rnrRetry() {
        return rnrRetry;
    }

    /// READs in flight, as requester and as responder.
    public LinkOptions reads(int asRequester, int asResponder) {
        return with(copy -> {
            copy.maxReadAtomic = asRequester;
            copy.maxDestinationReadAtomic = asResponder;
        });
    }

    public int maxReadAtomic() {
        return maxReadAtomic;
    }

    public int maxDestinationReadAtomic() {
        return maxDestinationReadAtomic;
    }

    /// First packet sequence number of each side.
    public LinkOptions psns(int left, int right) {
        return with(copy -> {
            copy.leftPsn = left;
            copy.rightPsn = right;
        });
    }

    int leftPsn() {
        return leftPsn;
    }

    int rightPsn() {
        return rightPsn;
    }

    public LinkOptions completionEntries(int entries) {
        return with(copy -> copy.completionEntries = entries);
    }

    public int completionEntries() {
        return completionEntries;
    }
}
