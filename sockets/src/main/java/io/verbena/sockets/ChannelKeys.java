package io.verbena.sockets;

import java.nio.channels.SelectionKey;
import java.util.concurrent.CopyOnWriteArrayList;

/// The selection keys of a channel.
final class ChannelKeys implements ReadyListener {
    private final CopyOnWriteArrayList<RdmaSelectionKey> keys = new CopyOnWriteArrayList<>();

    void add(RdmaSelectionKey key) {
        keys.add(key);
    }

    void remove(RdmaSelectionKey key) {
        keys.remove(key);
    }

    @Override
    public void onReady() {
        for (RdmaSelectionKey key : keys) {
            key.onReady();
        }
    }

    /// The channel has become one of RDMA or of the JDK.
    void onTransportChanged() {
        keys.forEach(RdmaSelectionKey::onTransportChanged);
    }

    /// A channel of the JDK can only be made blocking when its own keys are cancelled, too.
    void cancelJdkKeysOfCancelled() {
        for (RdmaSelectionKey key : keys) {
            if (!key.isValid()) {
                SelectionKey jdk = key.jdkKey();
                if (jdk != null) {
                    jdk.cancel();
                }
            }
        }
    }
}
