package io.verbena.spark;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.NetworkInterface;

/// Finds the address of this host in a network.
final class LocalAddress {
    private LocalAddress() {}

    /// @param network such as `10.0.0.0/24`
    static String in(String network) throws IOException {
        String[] parts = network.split("/", -1);
        if (parts.length != 2) {
            throw new IllegalArgumentException(
                    Settings.NETWORK + " is '" + network + "'; write address and bits, such as 10.0.0.0/24");
        }
        byte[] wanted = InetAddress.getByName(parts[0]).getAddress();
        int bits = Integer.parseInt(parts[1]);
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> isIn(wanted, bits, address.getAddress()))
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElseThrow(() -> new IOException("this host has no address in " + network + "; check "
                        + Settings.NETWORK + " against the output of 'ip address'"));
    }

    static boolean isIn(byte[] network, int bits, byte[] address) {
        int shift = network.length * Byte.SIZE - bits;
        return network.length == address.length
                && new BigInteger(1, network).shiftRight(shift).equals(new BigInteger(1, address).shiftRight(shift));
    }
}
