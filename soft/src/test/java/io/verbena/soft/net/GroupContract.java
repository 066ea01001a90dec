package io.verbena.soft.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.attr.Gid;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The contract of every wire for multicast groups, and for traffic class and hop limit, over IPv4 and IPv6.
abstract class GroupContract {
    private final InetAddress here;
    private final InetAddress there;
    final InetAddress group;
    private final InetAddress otherGroup;
    private final InetAddress groupOfOtherKind;
    final Frames frames = new Frames();
    Wire sender;
    Wire receiver;

    /// @param here where the sender is
    /// @param there where the receiver is; the same address makes both the same wire
    GroupContract(InetAddress here, InetAddress there) {
        this.here = here;
        this.there = there;
        boolean ipv4 = Gid.of(here).isIpv4();
        // Chosen like the addresses of tests: other processes must not receive it.
        int number = (int) (ProcessHandle.current().pid() & 0xFF);
        group = Loopback.address((ipv4 ? "239.77.1." : "ff15::77:1:") + number);
        otherGroup = Loopback.address((ipv4 ? "239.77.2." : "ff15::77:2:") + number);
        groupOfOtherKind = Loopback.address((ipv4 ? "ff15::77:1:" : "239.77.1.") + number);
    }

    abstract Wire open(InetAddress local);

    /// Receives until `count` frames have arrived or none arrived for long.
    void await(Frames into, int count) {
        into.await(receiver, count);
    }

    /// Whether a sender's hop limit reaches the IP header of a packet to one address.
    boolean setsHopLimit() {
        return true;
    }

    /// Whether received frames have their traffic class and hop limit.
    boolean seesTraffic() {
        return true;
    }

    @BeforeEach
    void openWires() {
        try {
            sender = open(here);
        } catch (RdmaException e) {
            Assumptions.abort("no such address to be had: " + e.getMessage());
        }
        receiver = here.equals(there) ? sender : open(there);
    }

    @AfterEach
    void closeWires() {
        if (sender != null) {
            sender.close();
            receiver.close();
        }
    }

    private void join(InetAddress address) {
        Gid gid = Gid.of(address);
        receiver.join(gid.high(), gid.low());
    }

    private void leave(InetAddress address) {
        Gid gid = Gid.of(address);
        receiver.leave(gid.high(), gid.low());
    }

    @Test
    void shouldHearGroupItJoinedAndTellDestination() {
        join(group);
        Frames.send(sender, group, 1, 64);
        await(frames, 1);
        assertEquals(List.of(1), frames.psns());
        assertEquals(Gid.of(group), frames.destination);
        assertEquals(Gid.of(here), frames.source);
        Frames.send(sender, there, 2, 64);
        await(frames, 2);
        assertEquals(List.of(1, 2), frames.psns());
        assertEquals(Gid.of(there), frames.destination);
        assertEquals(0, sender.sendFailures());
    }

    @Test
    void shouldHearOnlyGroupsItJoined() {
        join(group);
        Frames.send(sender, otherGroup, 1, 64);
        Frames.send(sender, group, 2, 64);
        await(frames, 1);
        assertEquals(List.of(2), frames.psns());
    }

    @Test
    void shouldHearSeveralGroups() {
        join(group);
        join(otherGroup);
        Frames.send(sender, otherGroup, 1, 1000);
        await(frames, 1);
        assertEquals(Gid.of(otherGroup), frames.destination);
        Frames.send(sender, group, 2, 64);
        await(frames, 2);
        assertEquals(Gid.of(group), frames.destination);
    }

    @Test
    void shouldStayInGroupUntilLeftAsOftenAsJoined() {
        join(group);
        join(group);
        leave(group);
        Frames.send(sender, group, 1, 64);
        await(frames, 1);
        leave(group);
        leave(group);
        Frames.send(sender, group, 2, 64);
        Frames.send(sender, there, 3, 64);
        await(frames, 2);
        assertEquals(List.of(1, 3), frames.psns());
        join(group);
        Frames.send(sender, group, 4, 64);
        await(frames, 3);
        assertEquals(List.of(1, 3, 4), frames.psns());
    }

    @Test
    void shouldRefuseWhatIsNoGroup() {
        RdmaException refused = assertThrows(RdmaException.class, () -> join(here));
        assertEquals(Errno.EINVAL, refused.errno());
        assertTrue(refused.getMessage().contains("not a multicast group"), refused.getMessage());
        RdmaException other = assertThrows(RdmaException.class, () -> join(groupOfOtherKind));
        assertEquals(Errno.EINVAL, other.errno());
    }

    @Test
    void shouldTellHowFramesTravelled() {
        receiver.revealTraffic();
        Frames.send(sender, there, 1, 64, Traffic.of(0xB8, 7, 0x12345));
        await(frames, 1);
        assertEquals(seesTraffic() ? 0xB8 : 0, Traffic.trafficClass(frames.traffic));
        int hops = seesTraffic() && setsHopLimit() ? 7 : Traffic.DEFAULT_HOP_LIMIT;
        assertEquals(hops, Traffic.hopLimit(frames.traffic));
        Frames.send(sender, there, 2, 64);
        await(frames, 2);
        assertEquals(0, Traffic.trafficClass(frames.traffic));
        assertEquals(Traffic.DEFAULT_HOP_LIMIT, Traffic.hopLimit(frames.traffic));
    }

    @Test
    void shouldTellHowFramesToGroupTravelled() {
        join(group);
        Frames.send(sender, group, 1, 64, Traffic.of(0x20, 3, 0));
        await(frames, 1);
        assertEquals(seesTraffic() ? 0x20 : 0, Traffic.trafficClass(frames.traffic));
        assertEquals(seesTraffic() ? 3 : 64, Traffic.hopLimit(frames.traffic));
        Frames.send(sender, group, 2, 64);
        await(frames, 2);
        assertEquals(0, Traffic.trafficClass(frames.traffic));
        assertEquals(64, Traffic.hopLimit(frames.traffic));
    }
}
