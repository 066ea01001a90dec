package io.verbena.conformance.queue;

import static io.verbena.verbs.attr.QueuePairAttribute.ACCESS;
import static io.verbena.verbs.attr.QueuePairAttribute.ADDRESS_VECTOR;
import static io.verbena.verbs.attr.QueuePairAttribute.CURRENT_STATE;
import static io.verbena.verbs.attr.QueuePairAttribute.DESTINATION_QP;
import static io.verbena.verbs.attr.QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC;
import static io.verbena.verbs.attr.QueuePairAttribute.MAX_READ_ATOMIC;
import static io.verbena.verbs.attr.QueuePairAttribute.MIN_RNR_TIMER;
import static io.verbena.verbs.attr.QueuePairAttribute.PATH_MTU;
import static io.verbena.verbs.attr.QueuePairAttribute.PKEY_INDEX;
import static io.verbena.verbs.attr.QueuePairAttribute.PORT;
import static io.verbena.verbs.attr.QueuePairAttribute.QKEY;
import static io.verbena.verbs.attr.QueuePairAttribute.RECEIVE_PSN;
import static io.verbena.verbs.attr.QueuePairAttribute.RETRY_COUNT;
import static io.verbena.verbs.attr.QueuePairAttribute.RNR_RETRY;
import static io.verbena.verbs.attr.QueuePairAttribute.SEND_PSN;
import static io.verbena.verbs.attr.QueuePairAttribute.SQD_NOTIFY;
import static io.verbena.verbs.attr.QueuePairAttribute.TIMEOUT;
import static io.verbena.verbs.attr.QueuePairState.ERR;
import static io.verbena.verbs.attr.QueuePairState.INIT;
import static io.verbena.verbs.attr.QueuePairState.RESET;
import static io.verbena.verbs.attr.QueuePairState.RTR;
import static io.verbena.verbs.attr.QueuePairState.RTS;
import static io.verbena.verbs.attr.QueuePairState.SQD;

import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A step of a queue pair. The table is a second copy, against which the library's own table is checked.
record QueuePairStep(
        QueuePairState from, QueuePairState to, Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {

    /// The states a program can bring a queue pair into.
    static final List<QueuePairState> STATES = List.of(RESET, INIT, RTR, RTS, SQD, ERR);

    /// The attributes a [QueuePairChange] can carry, besides the state.
    static final Set<QueuePairAttribute> ATTRIBUTES = EnumSet.of(
            SQD_NOTIFY,
            ACCESS,
            PKEY_INDEX,
            PORT,
            QKEY,
            ADDRESS_VECTOR,
            PATH_MTU,
            TIMEOUT,
            RETRY_COUNT,
            RNR_RETRY,
            RECEIVE_PSN,
            MAX_READ_ATOMIC,
            MIN_RNR_TIMER,
            SEND_PSN,
            MAX_DESTINATION_READ_ATOMIC,
            DESTINATION_QP);

    private static final Set<QueuePairAttribute> NONE = Set.of();
    private static final Set<QueuePairAttribute> CONNECTED = Set.of(PKEY_INDEX, PORT, ACCESS);
    private static final Set<QueuePairAttribute> DATAGRAM = Set.of(PKEY_INDEX, PORT, QKEY);
    private static final Set<QueuePairAttribute> RC_RTS = Set.of(CURRENT_STATE, ACCESS, MIN_RNR_TIMER);
    private static final Set<QueuePairAttribute> UC_RTS = Set.of(CURRENT_STATE, ACCESS);
    private static final Set<QueuePairAttribute> UD_RTS = Set.of(CURRENT_STATE, QKEY);

    /// The steps to RESET and ERR, and into SQD, which are the same for all types.
    private static final List<QueuePairStep> COMMON = List.of(
            new QueuePairStep(RTS, SQD, NONE, Set.of(SQD_NOTIFY)),
            new QueuePairStep(RESET, RESET, NONE, NONE),
            new QueuePairStep(INIT, RESET, NONE, NONE),
            new QueuePairStep(RTR, RESET, NONE, NONE),
            new QueuePairStep(RTS, RESET, NONE, NONE),
            new QueuePairStep(SQD, RESET, NONE, NONE),
            new QueuePairStep(ERR, RESET, NONE, NONE),
            new QueuePairStep(INIT, ERR, NONE, NONE),
            new QueuePairStep(RTR, ERR, NONE, NONE),
            new QueuePairStep(RTS, ERR, NONE, NONE),
            new QueuePairStep(SQD, ERR, NONE, NONE),
            new QueuePairStep(ERR, ERR, NONE, NONE));

    private static final List<QueuePairStep> RELIABLE = List.of(
            new QueuePairStep(RESET, INIT, CONNECTED, NONE),
            new QueuePairStep(INIT, INIT, NONE, CONNECTED),
            new QueuePairStep(
                    INIT,
                    RTR,
                    Set.of(
                            ADDRESS_VECTOR,
                            PATH_MTU,
                            DESTINATION_QP,
                            RECEIVE_PSN,
                            MAX_DESTINATION_READ_ATOMIC,
                            MIN_RNR_TIMER),
                    Set.of(ACCESS, PKEY_INDEX)),
            new QueuePairStep(RTR, RTS, Set.of(SEND_PSN, TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC), RC_RTS),
            new QueuePairStep(RTS, RTS, NONE, RC_RTS),
            new QueuePairStep(SQD, RTS, NONE, RC_RTS),
            new QueuePairStep(
                    SQD,
                    SQD,
                    NONE,
                    Set.of(
                            PORT,
                            ADDRESS_VECTOR,
                            TIMEOUT,
                            RETRY_COUNT,
                            RNR_RETRY,
                            MAX_READ_ATOMIC,
                            MAX_DESTINATION_READ_ATOMIC,
                            ACCESS,
                            PKEY_INDEX,
                            MIN_RNR_TIMER)));

    private static final List<QueuePairStep> UNRELIABLE = List.of(
            new QueuePairStep(RESET, INIT, CONNECTED, NONE),
            new QueuePairStep(INIT, INIT, NONE, CONNECTED),
            new QueuePairStep(
                    INIT,
                    RTR,
                    Set.of(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN),
                    Set.of(ACCESS, PKEY_INDEX)),
            new QueuePairStep(RTR, RTS, Set.of(SEND_PSN), UC_RTS),
            new QueuePairStep(RTS, RTS, NONE, UC_RTS),
            new QueuePairStep(SQD, RTS, NONE, UC_RTS),
            new QueuePairStep(SQD, SQD, NONE, Set.of(ADDRESS_VECTOR, ACCESS, PKEY_INDEX)));

    private static final List<QueuePairStep> DATAGRAMS = List.of(
            new QueuePairStep(RESET, INIT, DATAGRAM, NONE),
            new QueuePairStep(INIT, INIT, NONE, DATAGRAM),
            new QueuePairStep(INIT, RTR, NONE, Set.of(PKEY_INDEX, QKEY)),
            new QueuePairStep(RTR, RTS, Set.of(SEND_PSN), UD_RTS),
            new QueuePairStep(RTS, RTS, NONE, UD_RTS),
            new QueuePairStep(SQD, RTS, NONE, UD_RTS),
            new QueuePairStep(SQD, SQD, NONE, Set.of(PKEY_INDEX, QKEY)));

    static List<QueuePairStep> legal(QueuePairType type) {
        List<QueuePairStep> own = switch (type) {
            case RC -> RELIABLE;
            case UC -> UNRELIABLE;
            case UD -> DATAGRAMS;
        };
        List<QueuePairStep> all = new ArrayList<>(own);
        all.addAll(COMMON);
        return all;
    }

    static boolean isLegal(QueuePairType type, QueuePairState from, QueuePairState to) {
        return legal(type).stream().anyMatch(step -> step.from == from && step.to == to);
    }

    /// The attributes that a program would set on the way to that state.
    static Set<QueuePairAttribute> usual(QueuePairState to) {
        return usual(QueuePairType.RC, to);
    }

    static Set<QueuePairAttribute> usual(QueuePairType type, QueuePairState to) {
        return legal(type).stream()
                .filter(step -> step.to == to && !step.required.isEmpty())
                .findFirst()
                .map(QueuePairStep::required)
                .orElse(NONE);
    }

    /// Brings the left queue pair from RESET into that state.
    static void bring(QueuePairLink link, QueuePairState state) {
        if (state == RESET) {
            return;
        }
        link.left().toInit();
        if (state == INIT) {
            return;
        }
        if (state == ERR) {
            link.left().to(ERR);
            return;
        }
        link.left().toRtr(link.right());
        if (state == RTR) {
            return;
        }
        link.left().toRts();
        if (state == SQD) {
            link.left().drain();
        }
    }

    /// A change of the left queue pair with exactly these attributes, all with legal values.
    static QueuePairChange change(QueuePairLink link, QueuePairState to, Collection<QueuePairAttribute> attributes) {
        QueuePairChange change = QueuePairChange.to(to);
        for (QueuePairAttribute attribute : attributes) {
            set(change, attribute, link);
        }
        return change;
    }

    private static void set(QueuePairChange change, QueuePairAttribute attribute, QueuePairLink link) {
        switch (attribute) {
            case CURRENT_STATE -> change.currentState(link.left().state());
            case SQD_NOTIFY -> change.sqdNotify(true);
            case ACCESS -> change.access(Access.REMOTE_WRITE);
            case PKEY_INDEX -> change.pkeyIndex(0);
            case PORT -> change.port(1);
            case QKEY -> change.qkey(0x1111_1111);
            case ADDRESS_VECTOR ->
                change.address(link.left().side().pathTo(link.right().side()));
            case PATH_MTU -> change.pathMtu(Mtu.MTU_512);
            case TIMEOUT -> change.timeout(15);
            case RETRY_COUNT -> change.retryCount(5);
            case RNR_RETRY -> change.rnrRetry(5);
            case RECEIVE_PSN -> change.receivePsn(77);
            case MAX_READ_ATOMIC -> change.maxReadAtomic(2);
            case MIN_RNR_TIMER -> change.minRnrTimer(10);
            case SEND_PSN -> change.sendPsn(78);
            case MAX_DESTINATION_READ_ATOMIC -> change.maxDestinationReadAtomic(2);
            case DESTINATION_QP -> change.destinationQp(link.right().qp().number());
            default -> throw new IllegalArgumentException("no setter for " + attribute);
        }
    }

    @Override
    public String toString() {
        return from + " to " + to;
    }
}
