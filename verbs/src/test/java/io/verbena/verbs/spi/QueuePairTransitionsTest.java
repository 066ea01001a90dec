package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairAttribute;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.attr.QueuePairType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every step of every type against the table of the Linux kernel, written down once more here in its own words.
class QueuePairTransitionsTest {
    /// Type, from, to, required attributes, optional attributes. Short names as in C, without the prefix.
    private static final String TABLE = """
            RC RESET INIT PKEY_INDEX,PORT,ACCESS -
            UC RESET INIT PKEY_INDEX,PORT,ACCESS -
            UD RESET INIT PKEY_INDEX,PORT,QKEY -
            RC INIT INIT - PKEY_INDEX,PORT,ACCESS
            UC INIT INIT - PKEY_INDEX,PORT,ACCESS
            UD INIT INIT - PKEY_INDEX,PORT,QKEY
            RC INIT RTR AV,PATH_MTU,DEST_QPN,RQ_PSN,MAX_DEST,MIN_RNR ALT,ACCESS,PKEY_INDEX
            UC INIT RTR AV,PATH_MTU,DEST_QPN,RQ_PSN ALT,ACCESS,PKEY_INDEX
            UD INIT RTR - PKEY_INDEX,QKEY
            RC RTR RTS SQ_PSN,TIMEOUT,RETRY,RNR_RETRY,MAX_RD CUR,ALT,ACCESS,MIN_RNR,MIG
            UC RTR RTS SQ_PSN CUR,ALT,ACCESS,MIG
            UD RTR RTS SQ_PSN CUR,QKEY
            RC RTS RTS - CUR,ACCESS,ALT,MIG,MIN_RNR
            UC RTS RTS - CUR,ACCESS,ALT,MIG
            UD RTS RTS - CUR,QKEY
            RC RTS SQD - SQD
            UC RTS SQD - SQD
            UD RTS SQD - SQD
            RC SQD RTS - CUR,ALT,ACCESS,MIN_RNR,MIG
            UC SQD RTS - CUR,ALT,ACCESS,MIG
            UD SQD RTS - CUR,QKEY
            RC SQD SQD - PORT,AV,TIMEOUT,RETRY,RNR_RETRY,MAX_RD,MAX_DEST,ALT,ACCESS,PKEY_INDEX,MIN_RNR,MIG
            UC SQD SQD - AV,ALT,ACCESS,PKEY_INDEX,MIG
            UD SQD SQD - PKEY_INDEX,QKEY
            UC SQE RTS - CUR,ACCESS
            UD SQE RTS - CUR,QKEY
            """;

    private static final Map<String, QueuePairAttribute> NAMES = Map.ofEntries(
            Map.entry("PKEY_INDEX", QueuePairAttribute.PKEY_INDEX),
            Map.entry("PORT", QueuePairAttribute.PORT),
            Map.entry("ACCESS", QueuePairAttribute.ACCESS),
            Map.entry("QKEY", QueuePairAttribute.QKEY),
            Map.entry("AV", QueuePairAttribute.ADDRESS_VECTOR),
            Map.entry("PATH_MTU", QueuePairAttribute.PATH_MTU),
            Map.entry("DEST_QPN", QueuePairAttribute.DESTINATION_QP),
            Map.entry("RQ_PSN", QueuePairAttribute.RECEIVE_PSN),
            Map.entry("SQ_PSN", QueuePairAttribute.SEND_PSN),
            Map.entry("MAX_DEST", QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC),
            Map.entry("MAX_RD", QueuePairAttribute.MAX_READ_ATOMIC),
            Map.entry("MIN_RNR", QueuePairAttribute.MIN_RNR_TIMER),
            Map.entry("TIMEOUT", QueuePairAttribute.TIMEOUT),
            Map.entry("RETRY", QueuePairAttribute.RETRY_COUNT),
            Map.entry("RNR_RETRY", QueuePairAttribute.RNR_RETRY),
            Map.entry("CUR", QueuePairAttribute.CURRENT_STATE),
            Map.entry("ALT", QueuePairAttribute.ALTERNATE_PATH),
            Map.entry("MIG", QueuePairAttribute.PATH_MIGRATION_STATE),
            Map.entry("SQD", QueuePairAttribute.SQD_NOTIFY));

    /// The attributes that a change can set; the others have no setter.
    private static final Set<QueuePairAttribute> SETTABLE = EnumSet.complementOf(EnumSet.of(
            QueuePairAttribute.STATE,
            QueuePairAttribute.ALTERNATE_PATH,
            QueuePairAttribute.PATH_MIGRATION_STATE,
            QueuePairAttribute.CAPABILITIES));

    private record Key(QueuePairType type, QueuePairState from, QueuePairState to) {}

    private record Row(Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {}

    private static final Map<Key, Row> ROWS = rows();

    private static Map<Key, Row> rows() {
        Map<Key, Row> rows = new HashMap<>();
        TABLE.lines().map(line -> line.split(" ")).forEach(words -> {
            Key key = new Key(
                    QueuePairType.valueOf(words[0]),
                    QueuePairState.valueOf(words[1]),
                    QueuePairState.valueOf(words[2]));
            rows.put(key, new Row(attributes(words[3]), attributes(words[4])));
        });
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairState from : QueuePairState.values()) {
                rows.put(new Key(type, from, QueuePairState.RESET), new Row(attributes("-"), attributes("-")));
                if (from != QueuePairState.RESET) {
                    rows.put(new Key(type, from, QueuePairState.ERR), new Row(attributes("-"), attributes("-")));
                }
            }
        }
        return rows;
    }

    private static Set<QueuePairAttribute> attributes(String names) {
        Set<QueuePairAttribute> set = EnumSet.noneOf(QueuePairAttribute.class);
        for (String name : names.split(",")) {
            if (!name.equals("-")) {
                set.add(NAMES.get(name));
            }
        }
        return set;
    }

    static List<Key> pairs() {
        List<Key> all = new ArrayList<>();
        for (QueuePairType type : QueuePairType.values()) {
            for (QueuePairState from : QueuePairState.values()) {
                for (QueuePairState to : QueuePairState.values()) {
                    all.add(new Key(type, from, to));
                }
            }
        }
        return all;
    }

    private static void set(QueuePairChange change, QueuePairAttribute attribute, QueuePairState from) {
        switch (attribute) {
            case CURRENT_STATE -> change.currentState(from);
            case SQD_NOTIFY -> change.sqdNotify(true);
            case ACCESS -> change.access(Access.REMOTE_READ);
            case PKEY_INDEX -> change.pkeyIndex(0);
            case PORT -> change.port(1);
            case QKEY -> change.qkey(1);
            case ADDRESS_VECTOR -> change.address(AddressVector.to(new Gid(0, 1)));
            case PATH_MTU -> change.pathMtu(Mtu.MTU_256);
            case TIMEOUT -> change.timeout(1);
            case RETRY_COUNT -> change.retryCount(1);
            case RNR_RETRY -> change.rnrRetry(1);
            case RECEIVE_PSN -> change.receivePsn(1);
            case MAX_READ_ATOMIC -> change.maxReadAtomic(1);
            case MIN_RNR_TIMER -> change.minRnrTimer(1);
            case SEND_PSN -> change.sendPsn(1);
            case MAX_DESTINATION_READ_ATOMIC -> change.maxDestinationReadAtomic(1);
            case DESTINATION_QP -> change.destinationQp(99);
            default -> throw new IllegalArgumentException("no setter for " + attribute);
        }
    }

    private static QueuePairChange change(Key key, Set<QueuePairAttribute> attributes) {
        QueuePairChange change = QueuePairChange.to(key.to);
        attributes.stream().filter(SETTABLE::contains).forEach(attribute -> set(change, attribute, key.from));
        return change;
    }

    private static void expectRefused(Key key, QueuePairChange change, String why) {
        RdmaException refused = assertThrows(
                RdmaException.class, () -> QueuePairTransitions.check(5, key.type, key.from, change), key + why);
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains(key.from + "->" + key.to), refused.getMessage());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void shouldAllowExactlyTheStepsOfTheTable(Key key) {
        Row row = ROWS.get(key);
        assertEquals(row != null, QueuePairTransitions.isLegal(key.type, key.from, key.to));
        if (row == null) {
            expectRefused(key, QueuePairChange.to(key.to), ": not a step");
            return;
        }
        assertDoesNotThrow(
                () -> QueuePairTransitions.check(5, key.type, key.from, change(key, row.required)), key::toString);
        for (QueuePairAttribute missing : row.required) {
            Set<QueuePairAttribute> fewer = EnumSet.copyOf(row.required);
            fewer.remove(missing);
            expectRefused(key, change(key, fewer), ": without " + missing);
        }
        for (QueuePairAttribute extra : SETTABLE) {
            Set<QueuePairAttribute> more = EnumSet.of(extra);
            more.addAll(row.required);
            if (row.required.contains(extra) || row.optional.contains(extra)) {
                assertDoesNotThrow(
                        () -> QueuePairTransitions.check(5, key.type, key.from, change(key, more)),
                        () -> key + " with " + extra);
            } else {
                expectRefused(key, change(key, more), ": with " + extra);
            }
        }
    }

    @Test
    void shouldTakeNoStateForTheOneItIsIn() {
        assertDoesNotThrow(() -> QueuePairTransitions.check(
                5,
                QueuePairType.RC,
                QueuePairState.RTS,
                QueuePairChange.attributes().minRnrTimer(3)));
    }

    @Test
    void shouldRefuseAStateThatItIsNotIn() {
        QueuePairChange change = QueuePairChange.to(QueuePairState.RTS).currentState(QueuePairState.SQD);
        assertThrows(
                RdmaException.class, () -> QueuePairTransitions.check(5, QueuePairType.RC, QueuePairState.RTS, change));
    }
}
