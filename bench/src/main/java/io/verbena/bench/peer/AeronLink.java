package io.verbena.bench.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/// One end of a pair of Aeron streams, one for each direction, for one run.
final class AeronLink implements AutoCloseable {
    /// Streams of the client and of the server.
    private static final int FORTH = 1001;

    private static final int BACK = 1002;
    private static final int SMALL = 1024;
    private static final int SMALL_MTU = 1408;
    private static final int LARGE_MTU = 8192;
    private static final int TERM_BYTES = 16 << 20;
    private static final int SOCKET_BYTES = 2 << 20;
    private static final int WINDOW_BYTES = 1 << 20;
    /// Conductors have little to do while messages are sent.
    private static final int WORK_BETWEEN_CONDUCTING = 64;

    private final MediaDriver driver;
    private final Aeron aeron;
    /// Both null when the driver has its own thread.
    private final AgentInvoker driving;

    private final AgentInvoker conducting;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private int work;

    private AeronLink(MediaDriver driver, Aeron.Context context, String sendTo, String receiveFrom, boolean server) {
        this.driver = driver;
        try {
            driving = driver == null ? null : driver.sharedAgentInvoker();
            if (driving != null) {
                context.useConductorAgentInvoker(true).driverAgentInvoker(driving);
            }
            aeron = Aeron.connect(context);
            conducting = aeron.conductorAgentInvoker();
            subscription = aeron.addSubscription(receiveFrom, server ? FORTH : BACK);
            publication = aeron.addExclusivePublication(sendTo, server ? BACK : FORTH);
        } catch (RuntimeException e) {
            CloseHelper.quietClose(driver);
            throw e;
        }
    }

    /// Aeron over shared memory. The driver runs in the server's process, and its thread sleeps nearly always: it only
    /// moves the limit for senders.
    static AeronLink ipc(String folder, int messageBytes, boolean server) {
        MediaDriver driver = server
                ? MediaDriver.launch(driver(folder, messageBytes)
                        .threadingMode(ThreadingMode.SHARED)
                        .sharedIdleStrategy(new SleepingMillisIdleStrategy(1)))
                : null;
        return new AeronLink(driver, client(folder), "aeron:ipc", "aeron:ipc", server);
    }

    /// Aeron over UDP. Each side's driver, client and program are one thread: two threads in all.
    static AeronLink udp(String folder, int messageBytes, String local, String remote, boolean server) {
        MediaDriver driver = MediaDriver.launch(driver(folder, messageBytes).threadingMode(ThreadingMode.INVOKER));
        return new AeronLink(driver, client(folder), channel(remote), channel(local), server);
    }

    private static String channel(String endpoint) {
        return "aeron:udp?endpoint=" + endpoint;
    }

    private static Aeron.Context client(String folder) {
        return new Aeron.Context().aeronDirectoryName(folder);
    }

    private static MediaDriver.Context driver(String folder, int messageBytes) {
        int mtu = messageBytes > SMALL ? LARGE_MTU : SMALL_MTU;
        return new MediaDriver.Context()
                .aeronDirectoryName(folder)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .mtuLength(mtu)
                .ipcMtuLength(mtu)
                .publicationTermBufferLength(TERM_BYTES)
                .ipcTermBufferLength(TERM_BYTES)
                .termBufferSparseFile(false)
                .socketSndbufLength(SOCKET_BYTES)
                .socketRcvbufLength(SOCKET_BYTES)
                .initialWindowLength(WINDOW_BYTES);
    }

    /// Whether both directions are connected.
    boolean isConnected() {
        return publication.isConnected() && subscription.isConnected();
    }

    /// Must be called all the time: it moves the packets when no other thread does.
    void work() {
        if (driving != null) {
            driving.invoke();
            if (++work % WORK_BETWEEN_CONDUCTING == 0) {
                conducting.invoke();
            }
        }
    }

    /// [#work] with `onSpinWait`, when there is nothing else to do.
    private void idle() {
        if (driving == null) {
            Thread.onSpinWait();
        } else {
            work();
        }
    }

    /// A handler that also assembles messages that are larger than a packet.
    FragmentHandler whole(FragmentHandler handler, int messageBytes) {
        return messageBytes > publication.maxPayloadLength() ? new FragmentAssembler(handler) : handler;
    }

    void offer(DirectBuffer buffer, int offset, int length) {
        for (long position = publication.offer(buffer, offset, length);
                position < 0;
                position = publication.offer(buffer, offset, length)) {
            if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("Aeron closed the stream: " + Publication.errorString(position));
            }
            idle();
        }
    }

    void poll(FragmentHandler handler, int limit) {
        work();
        if (subscription.poll(handler, limit) == 0 && driving == null) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(aeron, driver);
    }
}
