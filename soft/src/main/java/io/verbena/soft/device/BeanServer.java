package io.verbena.soft.device;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/// The devices that are registered with the JVM's server of beans. Safe from any thread.
final class BeanServer {
    private static final Logger LOG = System.getLogger(BeanServer.class.getName());

    /// A bean that only the JVM's own server has. Frameworks have servers of their own.
    private static final ObjectName OF_THE_JVM = named("java.lang:type=Runtime");

    private static final Map<SoftDevice, Registration> SHOWN = new HashMap<>();

    private BeanServer() {}

    /// That of a device with a server. There is one also after a failure: trying again would fail again.
    private static final class Registration {
        final MBeanServer server;
        boolean isDone;

        Registration(MBeanServer server) {
            this.server = server;
        }
    }

    /// Registers a device unless it is registered already. Takes the lock only for the map, because the server calls
    /// listeners of the program, which may wait for other threads.
    static void register(SoftDevice device) {
        Registration registration = begin(device);
        if (registration == null) {
            return;
        }
        try {
            registration.server.registerMBean(new DeviceBean(device), nameOf(device));
        } catch (JMException | RuntimeException e) {
            LOG.log(Level.WARNING, "cannot show " + device + " as a bean", e);
            return;
        }
        if (!end(device, registration)) {
            remove(device, registration.server); // a listener closed the device
        }
    }

    /// Null when there is nothing to do.
    private static synchronized Registration begin(SoftDevice device) {
        if (SHOWN.containsKey(device)) {
            return null;
        }
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            if (server.isRegistered(OF_THE_JVM)) {
                Registration registration = new Registration(server);
                SHOWN.put(device, registration);
                return registration;
            }
        }
        return null;
    }

    /// Whether the device is still to be shown.
    private static synchronized boolean end(SoftDevice device, Registration registration) {
        registration.isDone = true;
        return SHOWN.get(device) == registration;
    }

    static void unregister(SoftDevice device) {
        MBeanServer server = forget(device);
        if (server != null) {
            remove(device, server);
        }
    }

    /// The server that has the device's bean, or null: a bean of that name may be somebody else's.
    private static synchronized MBeanServer forget(SoftDevice device) {
        Registration registration = SHOWN.remove(device);
        return registration != null && registration.isDone ? registration.server : null;
    }

    private static void remove(SoftDevice device, MBeanServer server) {
        try {
            server.unregisterMBean(nameOf(device));
        } catch (InstanceNotFoundException e) {
            LOG.log(Level.DEBUG, () -> "somebody else removed the bean of " + device, e);
        } catch (JMException | RuntimeException e) {
            LOG.log(Level.WARNING, "cannot remove the bean of " + device, e);
        }
    }

    /// Quoted, because IPv6 addresses have colons.
    static ObjectName nameOf(SoftDevice device) {
        return named("io.verbena:type=Device,name=" + ObjectName.quote(device.name()));
    }

    private static ObjectName named(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e); // ours are well-formed
        }
    }
}
