package io.verbena.applications.netty;

import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// Some of Netty's tests of sockets, with servers at an address that the property `applications.address` names. Netty's
/// own are at 127.0.0.1, which devices of the kernel do not serve.
final class AtAddress {
    /// The address of servers; null for Netty's own tests.
    static final String ADDRESS = System.getProperty("applications.address");

    private AtAddress() {}

    private static SocketAddress address() {
        return new InetSocketAddress(ADDRESS, 0);
    }

    /// Streams of random bytes each way.
    public static final class SocketEchoTest extends io.netty.testsuite.transport.socket.SocketEchoTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }

    /// Messages of one length.
    public static final class SocketFixedLengthEchoTest
            extends io.netty.testsuite.transport.socket.SocketFixedLengthEchoTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }

    /// Lines of text.
    public static final class SocketStringEchoTest extends io.netty.testsuite.transport.socket.SocketStringEchoTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }

    /// Writes of several buffers at once.
    public static final class SocketGatheringWriteTest
            extends io.netty.testsuite.transport.socket.SocketGatheringWriteTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }

    /// Connections whose one direction has ended.
    public static final class SocketHalfClosedTest extends io.netty.testsuite.transport.socket.SocketHalfClosedTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }

    /// Reads that the program asks for one by one.
    public static final class SocketAutoReadTest extends io.netty.testsuite.transport.socket.SocketAutoReadTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }

    /// `SO_LINGER` of 0.
    public static final class SocketRstTest extends io.netty.testsuite.transport.socket.SocketRstTest {
        @Override
        protected SocketAddress newSocketAddress() {
            return address();
        }
    }
}
