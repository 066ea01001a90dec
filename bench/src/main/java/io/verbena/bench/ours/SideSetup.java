package io.verbena.bench.ours;

import java.net.InetSocketAddress;
import java.util.List;

/// The setup of a [VerbsSide]: the arguments of its process.
///
/// - `address`: of the server's device
/// - `largest`: bytes of a message
/// - `shared`: whether memory is shared, so that a poll makes no system call
/// - `threads`: each with a queue pair and a completion queue of its own; only streams of WRITEs use more than one
/// - `neighbours`: the other traffic on the device
/// - `udpPeer`: address of the process that [NeighbourSetup] talks to over UDP; empty when there is none
record SideSetup(String address, int largest, boolean shared, int threads, NeighbourSetup neighbours, String udpPeer) {
    /// Port of the [UdpPeer], which has a device of its own, so that the port is free.
    static final int UDP_PEER_PORT = 7471;

    /// Other traffic on the device of the measured connections.
    enum NeighbourSetup {
        /// None.
        NONE,
        /// [Neighbours] with their own completion queue.
        OWN_QUEUE,
        /// [Neighbours] that share the completion queue of the measured connection.
        ONE_QUEUE
    }

    static SideSetup pure(String address, int largest, boolean shared) {
        return new SideSetup(address, largest, shared, 1, NeighbourSetup.NONE, "");
    }

    SideSetup withThreads(int count) {
        return new SideSetup(address, largest, shared, count, neighbours, udpPeer);
    }

    SideSetup with(NeighbourSetup other, String peer) {
        return new SideSetup(address, largest, shared, threads, other, peer);
    }

    InetSocketAddress home() {
        return new InetSocketAddress(address, 0);
    }

    InetSocketAddress udpPeerAddress() {
        return new InetSocketAddress(udpPeer, UDP_PEER_PORT);
    }

    List<String> toArguments() {
        return List.of(
                address,
                Integer.toString(largest),
                Boolean.toString(shared),
                Integer.toString(threads),
                neighbours.name(),
                udpPeer);
    }

    static SideSetup parse(List<String> arguments) {
        return new SideSetup(
                arguments.get(0),
                Integer.parseInt(arguments.get(1)),
                Boolean.parseBoolean(arguments.get(2)),
                Integer.parseInt(arguments.get(3)),
                NeighbourSetup.valueOf(arguments.get(4)),
                arguments.get(5));
    }
}
