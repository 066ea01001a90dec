package io.verbena.soft.device;

import io.verbena.soft.event.OptionalModule;

/// Shows open devices as beans of JMX, where there is a server for them. A device never makes the JVM start one, which
/// takes tens of milliseconds and loads hundreds of classes. It looks whether there is one when it is opened, and every
/// few seconds: somebody may attach later. The module `java.management` is optional. Without it these methods do
/// nothing, and the classes that need it are never loaded.
final class DeviceBeans {
    private static final boolean PRESENT = OptionalModule.isReadable("java.management");

    private DeviceBeans() {}

    /// Shows a device that is open, unless it is shown already.
    static void show(SoftDevice device) {
        if (PRESENT) {
            BeanServer.register(device);
        }
    }

    static void hide(SoftDevice device) {
        if (PRESENT) {
            BeanServer.unregister(device);
        }
    }
}
