package io.verbena.tools.doctor;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Reads addresses as `/proc/net/udp` writes them: each 32-bit word as the machine reads it, in hex, then the port.
final class SocketAddressText {
    private static final int DIGITS = 8;

    private SocketAddressText() {}

    /// `0100007F:12B7` is 127.0.0.1 on a little-endian machine; the text itself when it is none.
    static String of(String column) {
        String hex = column.substring(0, Math.max(0, column.indexOf(':')));
        ByteBuffer bytes = ByteBuffer.allocate(hex.length() / 2).order(ByteOrder.nativeOrder());
        try {
            for (int i = 0; i + DIGITS <= hex.length(); i += DIGITS) {
                bytes.putInt(Integer.parseUnsignedInt(hex.substring(i, i + DIGITS), 16));
            }
            String text = InetAddress.getByAddress(bytes.array()).getHostAddress();
            return text.equals("0:0:0:0:0:0:0:0") ? "::" : text;
        } catch (NumberFormatException | UnknownHostException e) {
            return column;
        }
    }
}
