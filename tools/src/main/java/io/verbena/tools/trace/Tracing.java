package io.verbena.tools.trace;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.verbs.Device;
import io.verbena.verbs.spi.RdmaProvider;

/// Wraps a provider in proxies that record all calls.
///
/// ```java
/// RdmaProvider traced = Tracing.of(provider, sink); // records the calls of all objects that are reached from it
/// ```
///
/// Nothing else changes: the provider never gets a proxy, the program gets nothing else, and each object has one proxy.
/// Completions and events are recorded when the program takes them. Not recorded are polls that find nothing, and
/// arming a completion queue that is already armed.
public final class Tracing {
    private Tracing() {}

    public static RdmaProvider of(RdmaProvider provider, TraceSink sink) {
        return (RdmaProvider) wrappers(sink).wrap(provider);
    }

    /// The same choice, with a traced provider and device.
    static DeviceChoice of(DeviceChoice choice, Wrappers wrappers) {
        return new DeviceChoice(
                (RdmaProvider) wrappers.wrap(choice.provider()),
                (Device) wrappers.wrap(choice.device()),
                choice.address());
    }

    static Wrappers wrappers(TraceSink sink) {
        return new Wrappers(new Recorder(sink));
    }
}
