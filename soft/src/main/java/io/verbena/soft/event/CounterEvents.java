package io.verbena.soft.event;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/// The counters of open devices, once in a period while a recording wants them.
final class CounterEvents {
    private static final Set<CountedDevice> OPEN = new CopyOnWriteArraySet<>();

    private CounterEvents() {}

    /// The counters of one device. All are sums since it was opened, except for the number of queue pairs.
    @Name("verbena.soft.DeviceCounters")
    @Label("Device Counters")
    @Description("What a device counted since it was opened")
    @Category({"Verbena", "Software Device"})
    @StackTrace(false)
    @Period("1 s")
    static final class DeviceCounters extends Event {
        @Label("Device")
        @Description("The address of the device")
        String device;

        @Label("Queue Pairs")
        @Description("How many there are now")
        int queuePairs;

        @Label("Packets Sent")
        long packetsSent;

        @Label("Packets Received")
        long packetsReceived;

        @Label("Bytes Sent")
        @DataAmount
        long bytesSent;

        @Label("Bytes Received")
        @DataAmount
        long bytesReceived;

        @Label("Messages Over Shared Memory")
        long sharedMessages;

        @Label("Packets Retransmitted")
        long packetsRetransmitted;

        @Label("Packets Dropped")
        @Description("Malformed, damaged, or for nobody")
        long packetsDropped;

        @Label("Acknowledgement Timeouts")
        long acknowledgeTimeouts;

        @Label("Receiver Not Ready")
        @Description("Times that the peer of a queue pair had no receive")
        long receiverNotReady;

        @Label("Requests Refused")
        @Description("Connection requests that were refused or dropped")
        long requestsRefused;
    }

    private static final class Hook {
        static {
            FlightRecorder.addPeriodicEvent(DeviceCounters.class, CounterEvents::writeAll);
        }

        private Hook() {}

        /// Registers with the recorder, once for all devices.
        static void register() {}
    }

    static void add(CountedDevice device) {
        OPEN.add(device);
        Hook.register();
    }

    static void remove(CountedDevice device) {
        OPEN.remove(device);
    }

    private static void writeAll() {
        OPEN.forEach(CounterEvents::write);
    }

    private static void write(CountedDevice device) {
        DeviceCounters event = new DeviceCounters();
        if (!event.shouldCommit()) {
            return;
        }
        DeviceTotals totals = device.totals();
        event.device = EventText.of(device.gid());
        event.queuePairs = totals.queuePairs();
        event.packetsSent = totals.packetsSent();
        event.packetsReceived = totals.packetsReceived();
        event.bytesSent = totals.bytesSent();
        event.bytesReceived = totals.bytesReceived();
        event.sharedMessages = totals.sharedMessages();
        event.packetsRetransmitted = totals.packetsRetransmitted();
        event.packetsDropped = totals.packetsDropped();
        event.acknowledgeTimeouts = totals.acknowledgeTimeouts();
        event.receiverNotReady = totals.receiverNotReady();
        event.requestsRefused = totals.requestsRefused();
        event.commit();
    }
}
