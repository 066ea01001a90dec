package io.verbena.verbs.spi;

import static io.verbena.verbs.attr.QueuePairAttribute.*;
import static io.verbena.verbs.attr.QueuePairState.*;
import static io.verbena.verbs.attr.QueuePairType.*;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The steps a queue pair may take and what each one needs: the table of rule QP-1 to QP-3, for every provider.
public final class QueuePairTransitions {
    private record Step(
            Set<QueuePairType> types,
            QueuePairState from,
            QueuePairState to,
            Set<QueuePairAttribute> required,
            Set<QueuePairAttribute> optional) {}

    private static final Set<QueuePairType> ALL = EnumSet.allOf(QueuePairType.class);
    private static final List<Step> STEPS = steps();

    private QueuePairTransitions() {}

    private static List<Step> steps() {
        List<Step> t = new ArrayList<>();
        Set<QueuePairType> rc = EnumSet.of(RC);
        Set<QueuePairType> uc = EnumSet.of(UC);
        Set<QueuePairType> ud = EnumSet.of(UD);
        Set<QueuePairType> connected = EnumSet.of(RC, UC);
        t.add(new Step(connected, RESET, INIT, EnumSet.of(PKEY_INDEX, PORT, ACCESS), none()));
        t.add(new Step(ud, RESET, INIT, EnumSet.of(PKEY_INDEX, PORT, QKEY), none()));
        t.add(new Step(connected, INIT, INIT, none(), EnumSet.of(PKEY_INDEX, PORT, ACCESS)));
        t.add(new Step(ud, INIT, INIT, none(), EnumSet.of(PKEY_INDEX, PORT, QKEY)));
        t.add(new Step(
                rc,
                INIT,
                RTR,
                EnumSet.of(
                        ADDRESS_VECTOR,
                        PATH_MTU,
                        DESTINATION_QP,
                        RECEIVE_PSN,
                        MAX_DESTINATION_READ_ATOMIC,
                        MIN_RNR_TIMER),
                EnumSet.of(ALTERNATE_PATH, ACCESS, PKEY_INDEX)));
        t.add(new Step(
                uc,
                INIT,
                RTR,
                EnumSet.of(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN),
                EnumSet.of(ALTERNATE_PATH, ACCESS, PKEY_INDEX)));
        t.add(new Step(ud, INIT, RTR, none(), EnumSet.of(PKEY_INDEX, QKEY)));
        Set<QueuePairAttribute> rcRts =
                EnumSet.of(CURRENT_STATE, ALTERNATE_PATH, ACCESS, MIN_RNR_TIMER, PATH_MIGRATION_STATE);
        Set<QueuePairAttribute> ucRts = EnumSet.of(CURRENT_STATE, ALTERNATE_PATH, ACCESS, PATH_MIGRATION_STATE);
        Set<QueuePairAttribute> udRts = EnumSet.of(CURRENT_STATE, QKEY);
        t.add(new Step(rc, RTR, RTS, EnumSet.of(SEND_PSN, TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC), rcRts));
        t.add(new Step(uc, RTR, RTS, EnumSet.of(SEND_PSN), ucRts));
        t.add(new Step(ud, RTR, RTS, EnumSet.of(SEND_PSN), udRts));
        for (QueuePairState from : List.of(RTS, SQD)) {
            t.add(new Step(rc, from, RTS, none(), rcRts));
            t.add(new Step(uc, from, RTS, none(), ucRts));
            t.add(new Step(ud, from, RTS, none(), udRts));
        }
        t.add(new Step(ALL, RTS, SQD, none(), EnumSet.of(SQD_NOTIFY)));
        t.add(new Step(
                rc,
                SQD,
                SQD,
                none(),
                EnumSet.of(
                        PORT,
                        ADDRESS_VECTOR,
                        TIMEOUT,
                        RETRY_COUNT,
                        RNR_RETRY,
                        MAX_READ_ATOMIC,
                        MAX_DESTINATION_READ_ATOMIC,
                        ALTERNATE_PATH,
                        ACCESS,
                        PKEY_INDEX,
                        MIN_RNR_TIMER,
                        PATH_MIGRATION_STATE)));
        t.add(new Step(
                uc,
                SQD,
                SQD,
                none(),
                EnumSet.of(ADDRESS_VECTOR, ALTERNATE_PATH, ACCESS, PKEY_INDEX, PATH_MIGRATION_STATE)));
        t.add(new Step(ud, SQD, SQD, none(), EnumSet.of(PKEY_INDEX, QKEY)));
        t.add(new Step(uc, SQE, RTS, none(), EnumSet.of(CURRENT_STATE, ACCESS)));
        t.add(new Step(ud, SQE, RTS, none(), EnumSet.of(CURRENT_STATE, QKEY)));
        for (QueuePairState from : QueuePairState.values()) {
            t.add(new Step(ALL, from, RESET, none(), none()));
            if (from != RESET) {
                t.add(new Step(ALL, from, ERR, none(), none()));
            }
        }
        return List.copyOf(t);
    }

    private static Set<QueuePairAttribute> none() {
        return EnumSet.noneOf(QueuePairAttribute.class);
    }

    /// Throws EINVAL, saying what is missing or too much, unless the change is legal for a queue pair in that
    /// state.
    public static void check(int qpNumber, QueuePairType type, QueuePairState current, QueuePairChange change) {
        QueuePairState from = change.has(CURRENT_STATE) ? change.currentState() : current;
        QueuePairState to = change.state() == null ? from : change.state();
        String verb = "modify QP 0x%x (%s) %s->%s".formatted(qpNumber, type, from, to);
        if (change.has(CURRENT_STATE)
                && (from != current || !EnumSet.of(RTR, RTS, SQD, SQE).contains(current))) {
            throw refused(verb, "current state was given as " + from + " but the queue pair is in " + current);
        }
        Step step = find(type, from, to);
        if (step == null) {
            throw refused(verb, "not a legal step; from " + from + " a queue pair goes to " + successors(type, from));
        }
        Set<QueuePairAttribute> missing = EnumSet.copyOf(step.required);
        missing.removeAll(change.attributesSet());
        if (!missing.isEmpty()) {
            throw refused(verb, "needs " + missing + " as well");
        }
        Set<QueuePairAttribute> excess = change.attributesSet();
        excess.remove(STATE);
        excess.removeAll(step.required);
        excess.removeAll(step.optional);
        if (!excess.isEmpty()) {
            throw refused(
                    verb,
                    "does not take " + excess + "; it takes " + step.required + " and may take "
                            + settable(step.optional));
        }
    }

    /// Without those that [QueuePairChange] cannot set, see [QueuePairAttribute].
    private static Set<QueuePairAttribute> settable(Set<QueuePairAttribute> attributes) {
        Set<QueuePairAttribute> some = EnumSet.copyOf(attributes);
        some.removeAll(EnumSet.of(ALTERNATE_PATH, PATH_MIGRATION_STATE, CAPABILITIES));
        return some;
    }

    /// Whether the step exists at all, whatever attributes it needs.
    public static boolean isLegal(QueuePairType type, QueuePairState from, QueuePairState to) {
        return find(type, from, to) != null;
    }

    private static Step find(QueuePairType type, QueuePairState from, QueuePairState to) {
        for (Step step : STEPS) {
            if (step.from == from && step.to == to && step.types.contains(type)) {
                return step;
            }
        }
        return null;
    }

    private static String successors(QueuePairType type, QueuePairState from) {
        List<QueuePairState> next = new ArrayList<>();
        for (QueuePairState to : QueuePairState.values()) {
            if (find(type, from, to) != null) {
                next.add(to);
            }
        }
        return next.toString();
    }

    private static RdmaException refused(String verb, String explanation) {
        return new RdmaException(verb, Errno.EINVAL, explanation);
    }
}
