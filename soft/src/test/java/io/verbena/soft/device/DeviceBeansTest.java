package io.verbena.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.Counter;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.rig.LoopbackPair;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/// Open devices are beans where the JVM has a server of beans.
class DeviceBeansTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private static ObjectName bean(InetAddress address) throws Exception {
        return new ObjectName("io.verbena:type=Device,name=\"soft-" + address.getHostAddress() + "\"");
    }

    @Test
    void shouldShowCountersWhileTheDeviceIsOpen() throws Exception {
        InetAddress address = Loopback.next();
        SoftDevice device = new HostNetwork().at(address);
        try (SoftContext context = device.open()) {
            assertEquals(0L, server.getAttribute(bean(address), "PacketsSent"));
            assertEquals(0, server.getAttribute(bean(address), "QueuePairs"));
            context.engines().first().counters().incrementAtomically(Counter.ACK_TIMEOUTS);
            assertEquals(1L, server.getAttribute(bean(address), "AckTimeouts"));
            assertThrows(AttributeNotFoundException.class, () -> server.getAttribute(bean(address), "Nonsense"));
            device.open().close();
            assertTrue(server.isRegistered(bean(address)), "one context is still open");
        }
        assertFalse(server.isRegistered(bean(address)));
        try (SoftContext again = device.open()) {
            assertTrue(server.isRegistered(bean(address)), again::toString);
        }
    }

    /// The server calls listeners of the program while a device is opened and closed.
    @Test
    void shouldLetListenersReadTheDeviceInOtherThreads() throws Exception {
        InetAddress address = Loopback.next();
        SoftDevice device = new HostNetwork().at(address);
        List<Object> read = new CopyOnWriteArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            NotificationListener listener = (what, _) -> {
                if (what instanceof MBeanServerNotification change
                        && change.getMBeanName().equals(BeanServer.nameOf(device))) {
                    read.add(read(threads, new DeviceBean(device), "PacketsSent"));
                }
            };
            server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
            try {
                device.open().close();
            } finally {
                server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
            }
        }
        assertEquals(List.of(0L, 0L), read, "once when it was opened, once when it was closed");
        assertFalse(server.isRegistered(bean(address)));
    }

    private static Object read(ExecutorService threads, DeviceBean bean, String attribute) {
        try {
            return threads.submit(() -> bean.getAttribute(attribute)).get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            return e;
        }
    }

    @Test
    void shouldLeaveABeanOfTheSameNameAlone() throws Exception {
        InetAddress address = Loopback.next();
        SoftDevice device = new HostNetwork().at(address);
        server.registerMBean(new DeviceBean(device), bean(address));
        try {
            device.open().close();
            assertTrue(server.isRegistered(bean(address)), "it is somebody else's");
        } finally {
            server.unregisterMBean(bean(address));
        }
    }

    @Test
    void shouldRemoveTheBeanWhenAListenerClosesTheDevice() throws Exception {
        InetAddress address = Loopback.next();
        SoftDevice device = new HostNetwork().at(address);
        NotificationListener listener = (what, _) -> {
            if (what instanceof MBeanServerNotification change
                    && change.getMBeanName().equals(BeanServer.nameOf(device))) {
                device.contexts().forEach(SoftContext::close);
            }
        };
        server.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener, null, null);
        try {
            device.open();
        } finally {
            server.removeNotificationListener(MBeanServerDelegate.DELEGATE_NAME, listener);
        }
        assertFalse(device.isOpen());
        assertFalse(server.isRegistered(bean(address)));
    }

    @Test
    void shouldListQueuePairsOnRequest() throws Exception {
        try (LoopbackPair pair = new LoopbackPair(4096)) {
            pair.left.receive(1, 0, 100);
            TabularData rows =
                    (TabularData) server.invoke(bean(pair.left.address), DeviceBean.LIST_QUEUE_PAIRS, null, null);
            CompositeData row = rows.get(new Object[] {"0x" + Integer.toHexString(pair.left.qp.number())});
            assertEquals("RTS", row.get("state"));
            assertEquals("RC", row.get("type"));
            assertEquals(pair.right.address.getHostAddress(), row.get("peer"));
            assertEquals("0x" + Integer.toHexString(pair.right.qp.number()), row.get("peerNumber"));
            assertEquals(0, row.get("outstandingSends"));
            assertEquals(1, row.get("postedReceives"));
        }
    }
}
