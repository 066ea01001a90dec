package io.verbena.soft.event;

import io.verbena.verbs.attr.Gid;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Throttle;

/// The events of devices.
final class DeviceEvents {
    private DeviceEvents() {}

    /// A limit, or a rule against floods, decided against a request.
    @Name("verbena.soft.Refusal")
    @Label("Request Refused or Dropped")
    @Description("A limit of the device, its protection against floods, or a rule decided against a request")
    @Category({"Verbena", "Software Device"})
    @StackTrace(false)
    @Throttle("100/s")
    static final class Refusal extends Event {
        @Label("Device")
        @Description("The address of the device; empty when it is not of one device")
        String device;

        @Label("Peer")
        @Description("Who asked; empty for the program itself")
        String peer;

        @Label("What")
        @Description("What was asked for")
        String what;

        @Label("Decision")
        @Description("refused: the asker was told; dropped: it was not and may ask again; lost: the request is gone")
        String decision;

        @Label("Reason")
        String reason;

        @Label("Limit")
        @Description("The limit that was reached; 0 when it was not for a limit")
        long limit;
    }

    /// A thread that slept until something came.
    @Name("verbena.soft.SlowWait")
    @Label("Slow Wait")
    @Description("A thread slept in a wait of the device because nothing came; waits that only spin are not shown")
    @Category({"Verbena", "Software Device"})
    @Threshold("100 ms")
    static final class SlowWait extends Event {
        @Label("What")
        @Description("What the thread waited for")
        String what;
    }

    static void refused(
            Gid device, long peerHigh, long peerLow, String what, String decision, String reason, long limit) {
        Refusal event = new Refusal();
        if (event.shouldCommit()) {
            event.device = EventText.of(device);
            event.peer = EventText.of(peerHigh, peerLow);
            event.what = what;
            event.decision = decision;
            event.reason = reason;
            event.limit = limit;
            event.commit();
        }
    }

    static Object beginWait() {
        SlowWait event = new SlowWait();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    static void endWait(Object begun, String what) {
        SlowWait event = (SlowWait) begun;
        event.end();
        if (event.shouldCommit()) {
            event.what = what;
            event.commit();
        }
    }
}
