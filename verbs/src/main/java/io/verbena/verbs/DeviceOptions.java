package io.verbena.verbs;

/// Options of the devices of one provider, for [Rdma#openDevice(String, DeviceOptions)]. Each provider has its own
/// class: `SoftOptions` of `io.verbena.soft.option` for the software device.
public interface DeviceOptions {
    /// The name of the provider whose devices have these options, e.g. `soft`.
    String provider();
}
