package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.event.Signal;
import io.verbena.rdmacore.layout.RdmaEventChannel;
import io.verbena.rdmacore.lib.DescriptorSet;
import io.verbena.rdmacore.lib.Failures;
import io.verbena.rdmacore.lib.Failures.Subject;
import io.verbena.rdmacore.lib.Libc;
import io.verbena.rdmacore.lib.PollFds;
import io.verbena.rdmacore.lib.TimerDescriptor;
import io.verbena.verbs.RdmaException;
import java.lang.foreign.Arena;
import java.util.concurrent.locks.LockSupport;

/// The thread of an [EventService] with the channel of librdmacm that it reads, which lives as long as it.
final class ServiceThread {
    /// The pause after an error, in case the kernel reports it again and again.
    private static final long PAUSE_NS = 1_000_000;

    private final EventService service;
    private final long channel;
    private final Signal stop;
    private final TimerDescriptor timer;
    private final DescriptorSet descriptors;
    private volatile boolean stopped;

    private ServiceThread(
            EventService service, long channel, Signal stop, TimerDescriptor timer, DescriptorSet descriptors) {
        this.service = service;
        this.channel = channel;
        this.stop = stop;
        this.timer = timer;
        this.descriptors = descriptors;
    }

    /// Leaves nothing open when the process has no descriptor left for it.
    static ServiceThread start(EventService service) {
        Signal stop = new Signal();
        TimerDescriptor timer = null;
        DescriptorSet descriptors = null;
        try {
            timer = new TimerDescriptor();
            descriptors = new DescriptorSet(stop.fd(), timer.fd());
            return start(service, stop, timer, descriptors);
        } catch (RdmaException noDescriptor) {
            if (descriptors != null) {
                descriptors.close();
            }
            if (timer != null) {
                timer.close();
            }
            stop.close();
            throw noDescriptor;
        }
    }

    private static ServiceThread start(
            EventService service, Signal stop, TimerDescriptor timer, DescriptorSet descriptors) {
        long channel = openChannel();
        try {
            descriptors.add(RdmaEventChannel.FD.get(channel));
        } catch (RdmaException e) {
            Rdmacm.LIB.destroyEventChannel(channel);
            throw e;
        }
        ServiceThread made = new ServiceThread(service, channel, stop, timer, descriptors);
        Thread.ofPlatform().daemon().name("verbena-rdmacm").start(made::run);
        return made;
    }

    /// A channel of librdmacm that does not block.
    static long openChannel() {
        long channel = Rdmacm.LIB.createEventChannel();
        if (channel < 0) {
            throw Failures.of(Subject.CONNECTION, "rdma_create_event_channel", (int) -channel);
        }
        int failed = Libc.setNonBlocking(RdmaEventChannel.FD.get(channel));
        if (failed < 0) {
            Rdmacm.LIB.destroyEventChannel(channel);
            throw Failures.of(Subject.CONNECTION, "rdma_create_event_channel", failed);
        }
        return channel;
    }

    long channel() {
        return channel;
    }

    void armTimer(long delayNs) {
        timer.set(delayNs);
    }

    void disarm() {
        timer.clear();
    }

    /// No id is on the channel any more. The thread closes everything and ends; no thread waits for it.
    void stop() {
        stop.raise();
        stopped = true; // after that the signal may be closed
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            long fds = arena.allocate(PollFds.SIZE, Long.BYTES).address();
            long result = arena.allocate(Long.BYTES, Long.BYTES).address();
            while (!stopped) {
                PollFds.set(fds, 0, descriptors.fd());
                if (Libc.poll(fds, 1, -1) > 0) {
                    service.run(channel, result);
                } else {
                    LockSupport.parkNanos(PAUSE_NS);
                }
            }
        } finally {
            descriptors.close();
            timer.close();
            stop.close();
            Rdmacm.LIB.destroyEventChannel(channel);
        }
    }
}
