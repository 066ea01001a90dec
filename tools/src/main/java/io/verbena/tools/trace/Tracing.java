package io.verbena.tools.trace;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.verbs.Device;
import io.verbena.verbs.spi.RdmaProvider;

/// Puts a trace between a program and its provider.
///
/// ```java
/// RdmaProvider traced = Tracing.of(provider, sink); // all that is reached from it tells what it is asked
/// ```
///
/// Everything else stays as it is: the provider never sees a wrapper, the program sees nothing else, and an object
/// has one wrapper. Completions and events are told when the program takes them. Looking for those in vain is not
/// told, nor is arming a completion queue that is still armed.
public final class Tracing {
    private Tracing() {}

    public static RdmaProvider of(RdmaProvider provider, TraceSink sink) {
        return (RdmaProvider) wrappers(sink).wrap(provider);
    }

    /// The same choice, with a provider and a device that are traced.
    static DeviceChoice of(DeviceChoice choice, Wrappers wrappers) {
        return new DeviceChoice(
                (RdmaProvider) wrappers.wrap(choice.provider()),
                (Device) wrappers.wrap(choice.device()),
                choice.address());
    }

    static Wrappers wrappers(TraceSink sink) {
        return new Wrappers(new Recorder(sink, new TraceClock()));
    }
}
