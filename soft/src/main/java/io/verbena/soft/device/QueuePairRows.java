package io.verbena.soft.device;

import io.verbena.soft.event.EventText;
import io.verbena.soft.qp.SoftQueuePair;
import io.verbena.soft.status.ConnectionStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/// The queue pairs of a device as a table that tools of JMX understand.
final class QueuePairRows {
    private static final String NUMBER = "number";
    private static final Map<String, OpenType<?>> COLUMNS = columns();
    private static final CompositeType ROW = row();
    static final TabularType TABLE = table();

    private QueuePairRows() {}

    private static Map<String, OpenType<?>> columns() {
        Map<String, OpenType<?>> columns = new LinkedHashMap<>();
        columns.put(NUMBER, SimpleType.STRING);
        columns.put("type", SimpleType.STRING);
        columns.put("state", SimpleType.STRING);
        columns.put("path", SimpleType.STRING);
        columns.put("peer", SimpleType.STRING);
        columns.put("peerNumber", SimpleType.STRING);
        columns.put("outstandingSends", SimpleType.INTEGER);
        columns.put("postedReceives", SimpleType.INTEGER);
        return columns;
    }

    private static CompositeType row() {
        String[] names = COLUMNS.keySet().toArray(String[]::new);
        try {
            return new CompositeType(
                    "QueuePair", "a queue pair", names, names, COLUMNS.values().toArray(OpenType<?>[]::new));
        } catch (OpenDataException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static TabularType table() {
        try {
            return new TabularType("QueuePairs", "the queue pairs of a device", ROW, new String[] {NUMBER});
        } catch (OpenDataException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static TabularData of(SoftDevice device) {
        TabularDataSupport rows = new TabularDataSupport(TABLE);
        for (SoftContext context : device.contexts()) {
            for (SoftQueuePair qp : context.queuePairs()) {
                CompositeData row = row(qp.status(0, 0, 0)); // no ports and no age in a row
                rows.put(new Object[] {row.get(NUMBER)}, row);
            }
        }
        return rows;
    }

    private static CompositeData row(ConnectionStatus status) {
        Object[] values = {
            EventText.queuePair(status.number()),
            status.type().name(),
            status.state().name(),
            status.path().text(),
            EventText.of(status.peer()),
            EventText.queuePair(status.peerNumber()),
            (int) status.outstanding(),
            (int) status.postedReceives()
        };
        try {
            return new CompositeDataSupport(ROW, COLUMNS.keySet().toArray(String[]::new), values);
        } catch (OpenDataException e) {
            throw new IllegalStateException(e); // the values are those of the columns
        }
    }
}
