package io.verbena.verbs;

import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairState;
import java.util.EnumSet;
import java.util.Set;

/// A change of a queue pair: the state to reach and the attributes to set. Attributes that were not set here stay as
/// they are. Counterpart of `struct ibv_qp_attr` with its mask.
///
/// ```java
/// qp.modify(QueuePairChange.toInit().access(Access.REMOTE_WRITE));
/// qp.modify(QueuePairChange.toRtr(AddressVector.to(peer), peerQp, peerPsn));
/// qp.modify(QueuePairChange.toRts(myPsn));
/// ```
public final class QueuePairChange {
    private final Set<QueuePairAttribute> set = EnumSet.noneOf(QueuePairAttribute.class);
    private QueuePairState state;
    private QueuePairState currentState;
    private int access;
    private int pkeyIndex;
    private int port;
    private int qkey;
    private AddressVector address;
    private Mtu pathMtu;
    private int destinationQp;
    private int receivePsn;
    private int sendPsn;
    private int timeout;
    private int retryCount;
    private int rnrRetry;
    private int minRnrTimer;
    private int maxReadAtomic;
    private int maxDestinationReadAtomic;
    private boolean sqdNotify;

    private QueuePairChange() {}

    /// A change of attributes only.
    public static QueuePairChange attributes() {
        return new QueuePairChange();
    }

    /// A step with nothing else set.
    public static QueuePairChange to(QueuePairState state) {
        QueuePairChange change = new QueuePairChange();
        change.state = state;
        return change.mark(QueuePairAttribute.STATE);
    }

    /// RESET→INIT for RC and UC: port 1, first partition key, no remote right unless [#access] adds some.
    public static QueuePairChange toInit() {
        return to(QueuePairState.INIT).pkeyIndex(0).port(1).access(new Access[0]);
    }

    /// INIT→RTR for RC with the usual values: MTU 1024, 16 incoming reads, RNR timer 12 (0.64 ms).
    public static QueuePairChange toRtr(AddressVector peer, int destinationQp, int receivePsn) {
        return to(QueuePairState.RTR)
                .address(peer)
                .pathMtu(Mtu.MTU_1024)
                .destinationQp(destinationQp)
                .receivePsn(receivePsn)
                .maxDestinationReadAtomic(16)
                .minRnrTimer(12);
    }

    /// RTR→RTS for RC with the usual values: timeout 14 (67 ms), 7 retries, RNR for ever, 16 reads in flight.
    public static QueuePairChange toRts(int sendPsn) {
        return to(QueuePairState.RTS)
                .sendPsn(sendPsn)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .maxReadAtomic(16);
    }

    /// RESET→INIT for UD: port 1, first partition key, the queue key that senders must name.
    public static QueuePairChange toInit(int qkey) {
        return to(QueuePairState.INIT).pkeyIndex(0).port(1).qkey(qkey);
    }

    /// INIT→RTR for UD, which has no peer to name.
    public static QueuePairChange toRtr() {
        return to(QueuePairState.RTR);
    }

    /// RTR→RTS with the first packet sequence number only, for UC and UD.
    public static QueuePairChange toRtsUnreliable(int sendPsn) {
        return to(QueuePairState.RTS).sendPsn(sendPsn);
    }

    /// INIT→RTR for UC with MTU 1024.
    public static QueuePairChange toRtrUnreliable(AddressVector peer, int destinationQp, int receivePsn) {
        return to(QueuePairState.RTR)
                .address(peer)
                .pathMtu(Mtu.MTU_1024)
                .destinationQp(destinationQp)
                .receivePsn(receivePsn);
    }

    private QueuePairChange mark(QueuePairAttribute attribute) {
        set.add(attribute);
        return this;
    }

    /// Whether this change sets the attribute.
    public boolean has(QueuePairAttribute attribute) {
        return set.contains(attribute);
    }

    /// The attributes this change sets.
    public Set<QueuePairAttribute> attributesSet() {
        return EnumSet.copyOf(set.isEmpty() ? EnumSet.noneOf(QueuePairAttribute.class) : set);
    }

    /// The state it leads to, or null when only attributes change.
    public QueuePairState state() {
        return state;
    }

    /// The state that the step is taken from, as the caller knows it.
    public QueuePairChange currentState(QueuePairState value) {
        currentState = value;
        return mark(QueuePairAttribute.CURRENT_STATE);
    }

    /// The value that [#currentState(QueuePairState)] set.
    public QueuePairState currentState() {
        return currentState;
    }

    /// What the peer may do with memory through this queue pair.
    public QueuePairChange access(Access... rights) {
        access = Access.bits(rights);
        return mark(QueuePairAttribute.ACCESS);
    }

    /// The value that [#access] set, as bits of [Access].
    public int accessBits() {
        return access;
    }

    /// The row of the port's partition key table; on RoCE always 0.
    public QueuePairChange pkeyIndex(int index) {
        pkeyIndex = index;
        return mark(QueuePairAttribute.PKEY_INDEX);
    }

    /// The value that [#pkeyIndex(int)] set.
    public int pkeyIndex() {
        return pkeyIndex;
    }

    /// The port of the device to use, from 1.
    public QueuePairChange port(int number) {
        port = number;
        return mark(QueuePairAttribute.PORT);
    }

    /// The value that [#port(int)] set.
    public int port() {
        return port;
    }

    /// The key that datagrams to this queue pair must carry.
    public QueuePairChange qkey(int key) {
        qkey = key;
        return mark(QueuePairAttribute.QKEY);
    }

    /// The value that [#qkey(int)] set.
    public int qkey() {
        return qkey;
    }

    /// Where the peer is.
    public QueuePairChange address(AddressVector vector) {
        address = vector;
        return mark(QueuePairAttribute.ADDRESS_VECTOR);
    }

    /// The value that [#address(AddressVector)] set.
    public AddressVector address() {
        return address;
    }

    /// How many payload bytes a packet carries; both sides need the same.
    public QueuePairChange pathMtu(Mtu mtu) {
        pathMtu = mtu;
        return mark(QueuePairAttribute.PATH_MTU);
    }

    /// The value that [#pathMtu(Mtu)] set.
    public Mtu pathMtu() {
        return pathMtu;
    }

    /// The number of the peer's queue pair.
    public QueuePairChange destinationQp(int number) {
        destinationQp = number;
        return mark(QueuePairAttribute.DESTINATION_QP);
    }

    /// The value that [#destinationQp(int)] set.
    public int destinationQp() {
        return destinationQp;
    }

    /// The packet sequence number the peer starts with.
    public QueuePairChange receivePsn(int psn) {
        receivePsn = psn;
        return mark(QueuePairAttribute.RECEIVE_PSN);
    }

    /// The value that [#receivePsn(int)] set.
    public int receivePsn() {
        return receivePsn;
    }

    /// The packet sequence number this side starts with.
    public QueuePairChange sendPsn(int psn) {
        sendPsn = psn;
        return mark(QueuePairAttribute.SEND_PSN);
    }

    /// The value that [#sendPsn(int)] set.
    public int sendPsn() {
        return sendPsn;
    }

    /// Acknowledgement timeout code: 4.096 µs · 2^code; 0 = wait for ever.
    public QueuePairChange timeout(int code) {
        timeout = code;
        return mark(QueuePairAttribute.TIMEOUT);
    }

    /// The value that [#timeout(int)] set.
    public int timeout() {
        return timeout;
    }

    /// Retransmissions without progress before RETRY_EXCEEDED, 0 to 7.
    public QueuePairChange retryCount(int count) {
        retryCount = count;
        return mark(QueuePairAttribute.RETRY_COUNT);
    }

    /// The value that [#retryCount(int)] set.
    public int retryCount() {
        return retryCount;
    }

    /// Retries against a peer without receives, 0 to 6; 7 = for ever.
    public QueuePairChange rnrRetry(int count) {
        rnrRetry = count;
        return mark(QueuePairAttribute.RNR_RETRY);
    }

    /// The value that [#rnrRetry(int)] set.
    public int rnrRetry() {
        return rnrRetry;
    }

    /// How long peers are told to wait when no receive is posted; a code, and 0 is the longest (655 ms).
    public QueuePairChange minRnrTimer(int code) {
        minRnrTimer = code;
        return mark(QueuePairAttribute.MIN_RNR_TIMER);
    }

    /// The value that [#minRnrTimer(int)] set.
    public int minRnrTimer() {
        return minRnrTimer;
    }

    /// READs and atomics this side keeps in flight.
    public QueuePairChange maxReadAtomic(int count) {
        maxReadAtomic = count;
        return mark(QueuePairAttribute.MAX_READ_ATOMIC);
    }

    /// The value that [#maxReadAtomic(int)] set.
    public int maxReadAtomic() {
        return maxReadAtomic;
    }

    /// READs and atomics this side serves at a time.
    public QueuePairChange maxDestinationReadAtomic(int count) {
        maxDestinationReadAtomic = count;
        return mark(QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC);
    }

    /// The value that [#maxDestinationReadAtomic(int)] set.
    public int maxDestinationReadAtomic() {
        return maxDestinationReadAtomic;
    }

    /// Whether a SEND_QUEUE_DRAINED event is wanted on RTS→SQD.
    public QueuePairChange sqdNotify(boolean notify) {
        sqdNotify = notify;
        return mark(QueuePairAttribute.SQD_NOTIFY);
    }

    /// The value that [#sqdNotify(boolean)] set.
    public boolean sqdNotify() {
        return sqdNotify;
    }
}
