package io.verbena.soft.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/// Loopback addresses that no other test uses, in this process or another on the same machine.
public final class Loopback {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Loopback() {}

    public static InetAddress next() {
        long pid = ProcessHandle.current().pid();
        int n = NEXT.getAndIncrement();
        // 16 bits of process id above 6 bits of counter; 127.64.0.0 and up.
        long host = 64L << 16 | (pid & 0xFFFF) << 6 | n & 0x3F;
        return address("127." + (host >> 16 & 0x7F) + "." + (host >> 8 & 0xFF) + "." + (host & 0xFF));
    }

    public static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
