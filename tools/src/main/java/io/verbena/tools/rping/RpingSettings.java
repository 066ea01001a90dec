package io.verbena.tools.rping;

import io.verbena.tools.device.DeviceChoice;
import io.verbena.tools.program.PeerTimeout;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.PortSpace;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/// The values of the command line options.
///
/// - `address`: where the server listens, for both sides
/// - `source`: where the client connects from, or null
/// - `count`: pings to do; 0: without end
/// - `typeOfService`, `ackTimeout`: -1 for the default
/// - `timeout`: how long the peer may keep silent; zero: for ever
record RpingSettings(
        DeviceChoice device,
        InetSocketAddress address,
        InetAddress source,
        int size,
        long count,
        boolean validate,
        boolean persistent,
        boolean ownQueuePair,
        int typeOfService,
        int ackTimeout,
        Duration timeout) {
    /// The parameters of both sides: one READ at a time, seven retries, infinite RNR retry.
    static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withReads(1, 1).withRetries(7, 7);

    ConnectionId newId() {
        ConnectionId id = device.provider().connectionManager().createSynchronousId(PortSpace.TCP);
        id.timeout(step());
        if (typeOfService >= 0) {
            id.option(ConnectionOption.TYPE_OF_SERVICE, typeOfService);
        }
        if (ackTimeout >= 0) {
            id.option(ConnectionOption.ACK_TIMEOUT, ackTimeout);
        }
        return id;
    }

    Duration step() {
        return PeerTimeout.step(timeout);
    }
}
