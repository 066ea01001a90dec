package io.verbena.soft.device;

import io.verbena.soft.engine.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ReflectionException;

/// An open device as a bean: its counters are attributes, and an operation lists its queue pairs.
final class DeviceBean implements DynamicMBean {
    static final String LIST_QUEUE_PAIRS = "listQueuePairs";
    private static final String QUEUE_PAIRS = "QueuePairs";
    private static final String SHARED_MEMORY = "SharedMemory";

    private static final Map<String, Counter> COUNTERS = Arrays.stream(Counter.values())
            .collect(Collectors.toMap(DeviceBean::name, counter -> counter, (a, _) -> a, LinkedHashMap::new));

    private static final MBeanInfo INFO = info();

    private final SoftDevice device;

    DeviceBean(SoftDevice device) {
        this.device = device;
    }

    /// `PACKETS_SENT` is `PacketsSent`.
    private static String name(Counter counter) {
        return Arrays.stream(counter.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private static MBeanInfo info() {
        List<MBeanAttributeInfo> attributes = new ArrayList<>();
        attributes.add(readable(QUEUE_PAIRS, "int", "how many queue pairs there are now"));
        attributes.add(readable(SHARED_MEMORY, String.class.getName(), "whether there is shared memory, and why not"));
        COUNTERS.forEach((name, counter) -> attributes.add(readable(name, "long", counter.label())));
        MBeanOperationInfo list = new MBeanOperationInfo(
                LIST_QUEUE_PAIRS,
                "the queue pairs with state, path, peer and posted requests",
                new MBeanParameterInfo[0],
                QueuePairRows.TABLE.getClassName(),
                MBeanOperationInfo.INFO);
        return new MBeanInfo(
                DeviceBean.class.getName(),
                "a software RDMA device; the counters are sums since it was opened",
                attributes.toArray(MBeanAttributeInfo[]::new),
                null,
                new MBeanOperationInfo[] {list},
                null);
    }

    private static MBeanAttributeInfo readable(String name, String type, String description) {
        return new MBeanAttributeInfo(name, type, description, true, false, false);
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        return INFO;
    }

    @Override
    public Object getAttribute(String name) throws AttributeNotFoundException {
        Counter counter = COUNTERS.get(name);
        if (counter != null) {
            return EngineTotals.sum(device.openEngines(), counter);
        }
        return switch (name) {
            case QUEUE_PAIRS -> device.totals().queuePairs();
            case SHARED_MEMORY -> device.sharedMemory().toString();
            default -> throw new AttributeNotFoundException(name + "; a device has " + COUNTERS.keySet());
        };
    }

    @Override
    public AttributeList getAttributes(String[] names) {
        AttributeList found = new AttributeList();
        for (String name : names) {
            try {
                found.add(new Attribute(name, getAttribute(name)));
            } catch (AttributeNotFoundException unknown) {
                continue; // the contract: those that cannot be read are left out
            }
        }
        return found;
    }

    @Override
    public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException(attribute.getName() + " cannot be set; counters are only read");
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public Object invoke(String operation, Object[] arguments, String[] signature) throws ReflectionException {
        if (!operation.equals(LIST_QUEUE_PAIRS)) {
            throw new ReflectionException(new NoSuchMethodException(operation));
        }
        return QueuePairRows.of(device);
    }
}
