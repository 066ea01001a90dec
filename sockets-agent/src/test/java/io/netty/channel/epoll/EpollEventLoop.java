package io.netty.channel.epoll;

/// Has the name of a class of Netty, and nothing else of it.
public final class EpollEventLoop {}
