package io.verbena.sockets.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeTransportsTest {
    @Test
    void shouldNameTheSettingThatTurnsEpollOff() {
        assertEquals(
                "Netty's native transport epoll bypasses java.nio and uses TCP;"
                        + " -Dio.netty.transport.noNative=true turns it off",
                NativeTransports.textOf("io/netty/channel/epoll/EpollEventLoop"));
    }

    @Test
    void shouldNameTheSettingOfACopyInAnotherPackage() {
        String text = NativeTransports.textOf("io/grpc/netty/shaded/io/netty/channel/epoll/EpollIoHandler");
        assertTrue(text.contains("-Dio.grpc.netty.shaded.io.netty.transport.noNative=true "), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io/netty/channel/kqueue/KQueueEventLoop",
                "io/netty/channel/kqueue/KQueueIoHandler",
                "io/netty/channel/uring/IoUringIoHandler",
                "io/netty/incubator/channel/uring/IOUringEventLoop"
            })
    void shouldKnowOtherNativeTransports(String className) {
        assertTrue(NativeTransports.textOf(className).contains("noNative"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io/netty/channel/nio/NioEventLoop",
                "io/netty/channel/nio/NioIoHandler",
                "io/netty/channel/epoll/Epoll",
                "java/lang/String"
            })
    void shouldNotMindOtherClasses(String className) {
        assertNull(NativeTransports.textOf(className));
    }
}
