package io.verbena.bench.ours;

import java.net.InetSocketAddress;
import java.util.List;

/// How a [VerbsSide] is set up: the arguments of its process.
///
/// - `address`: of the server's device
/// - `largest`: bytes of a message
/// - `shared`: whether memory is shared, so that a look costs no system call
/// - `threads`: each with a queue pair and a completion queue of its own; only streams of WRITEs use more than one
/// - `company`: what else is on the device
/// - `udpPeer`: address of the process that [Company] talks to over UDP; empty when there is none
record Setup(String address, int largest, boolean shared, int threads, Company company, String udpPeer) {
    /// Of the [UdpPeer]: on a device of its own, so that nobody else has it.
    static final int UDP_PEER_PORT = 7471;

    /// What is on a device besides the connections that are measured.
    enum Company {
        /// A pure device.
        NONE,
        /// [Neighbours] with a completion queue of their own.
        OWN_QUEUE,
        /// [Neighbours] that share the completion queue of the measured connection.
        ONE_QUEUE
    }

    static Setup pure(String address, int largest, boolean shared) {
        return new Setup(address, largest, shared, 1, Company.NONE, "");
    }

    Setup withThreads(int count) {
        return new Setup(address, largest, shared, count, company, udpPeer);
    }

    Setup with(Company other, String peer) {
        return new Setup(address, largest, shared, threads, other, peer);
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
                company.name(),
                udpPeer);
    }

    static Setup parse(List<String> arguments) {
        return new Setup(
                arguments.get(0),
                Integer.parseInt(arguments.get(1)),
                Boolean.parseBoolean(arguments.get(2)),
                Integer.parseInt(arguments.get(3)),
                Company.valueOf(arguments.get(4)),
                arguments.get(5));
    }
}
