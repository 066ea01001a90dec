package io.verbena.soft.shard;

/// Which ports of an address are listened to, by whatever process. Safe from any thread.
public interface ServicePorts {
    /// For a device that has its address alone.
    ServicePorts ALONE = new ServicePorts() {
        @Override
        public boolean listen(long serviceId) {
            return true;
        }

        @Override
        public void stopListening(long serviceId) {}

        @Override
        public boolean isFree(long serviceId) {
            return true;
        }
    };

    /// Requests for that service id come here from now on; false when another process listens.
    boolean listen(long serviceId);

    /// Nothing happens when this device does not listen.
    void stopListening(long serviceId);

    /// Whether no other process listens.
    boolean isFree(long serviceId);
}
