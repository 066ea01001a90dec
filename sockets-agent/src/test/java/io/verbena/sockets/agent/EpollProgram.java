package io.verbena.sockets.agent;

import io.netty.channel.epoll.EpollEventLoop;
import java.io.IOException;
import java.nio.channels.Selector;

/// A program that uses selectors, and a stand-in for Netty's native transport.
final class EpollProgram {
    private EpollProgram() {}

    public static void main(String[] arguments) throws IOException {
        Selector.open().close();
        System.out.println(new EpollEventLoop());
    }
}
