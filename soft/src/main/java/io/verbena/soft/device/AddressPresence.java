package io.verbena.soft.device;

import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/// Whether the host has an address just now.
final class AddressPresence {
    private AddressPresence() {}

    /// Binding to the address is the cheapest question, whatever number of interfaces there is; only a refusal
    /// is worth a closer look, because it may have other reasons.
    static boolean isThere(InetAddress address) {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(address, 0))) {
            return probe.isBound();
        } catch (BindException refused) {
            return isOnInterface(address);
        } catch (SocketException noSocket) {
            return true;
        }
    }

    private static boolean isOnInterface(InetAddress address) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            return found != null && found.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
