package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.SleepProtocol.Turn;
import io.verbena.soft.engine.SleepProtocol.Wait;
import org.junit.jupiter.api.Test;

/// The rows of the table in [SleepProtocol], one by one.
class SleepProtocolTest {
    private final SleepProtocol protocol = new SleepProtocol();

    @Test
    void shouldLetAWaitingThreadSleepOnTheWireWhenThePlaceIsFree() {
        assertFalse(protocol.beginWait(), "nobody need make room");
        assertEquals(Wait.SLEEP, protocol.sleepOrPark());
    }

    @Test
    void shouldParkTheSecondThreadThatWaitsWhenOneSleeps() {
        protocol.beginWait();
        protocol.sleepOrPark();
        protocol.beginWait();
        assertEquals(Wait.PARK, protocol.sleepOrPark());
    }

    @Test
    void shouldLetTheDeviceRestWhenTheProgramDrives() {
        assertEquals(Turn.REST, protocol.turn(true));
        assertEquals(Turn.DRIVE, protocol.turn(false));
    }

    @Test
    void shouldMakeRoomForAThreadThatWaitsWhenTheDeviceSleeps() {
        assertEquals(Turn.DRIVE, protocol.turn(false));
        assertTrue(protocol.beginWait(), "the device's thread must be woken");
        assertTrue(protocol.shallLeave());
        assertEquals(Wait.SPIN, protocol.sleepOrPark());
        assertFalse(protocol.leave());
        assertEquals(Wait.SLEEP, protocol.sleepOrPark());
    }

    @Test
    void shouldYieldWhenAThreadWaitsOrSleeps() {
        protocol.beginWait();
        assertEquals(Turn.YIELD, protocol.turn(false));
        protocol.sleepOrPark();
        assertEquals(Turn.YIELD, protocol.turn(false));
        protocol.leave();
        protocol.endWait();
        assertEquals(Turn.DRIVE, protocol.turn(false));
    }

    @Test
    void shouldDriveForParkedThreadsAlthoughTheProgramDrove() {
        protocol.beginPark();
        assertEquals(Turn.DRIVE_AS_ASKED, protocol.turn(true));
    }

    @Test
    void shouldDriveForParkedThreadsAlthoughAnotherOneWaits() {
        protocol.beginPark();
        protocol.beginWait();
        assertEquals(Turn.DRIVE_AS_ASKED, protocol.turn(false));
        assertFalse(protocol.shallLeave());
        assertEquals(Wait.PARK, protocol.sleepOrPark(), "the device's thread does it for all");
    }

    @Test
    void shouldWakeTheDeviceToMakeRoomWhenTheLastParkedThreadIsGone() {
        protocol.beginPark();
        protocol.turn(false);
        assertFalse(protocol.beginWait(), "the device's thread stays for the parked one");
        assertTrue(protocol.endPark());
        assertEquals(Wait.SPIN, protocol.sleepOrPark());
    }

    @Test
    void shouldAskTheDeviceAgainWhenTheSleeperLeavesAndOthersAreParked() {
        protocol.beginWait();
        protocol.sleepOrPark();
        protocol.beginPark();
        assertEquals(Turn.YIELD, protocol.turn(false), "the sleeper does it for all");
        assertTrue(protocol.leave(), "the device's thread must be woken");
        protocol.endWait();
        assertEquals(Turn.DRIVE_AS_ASKED, protocol.turn(true));
    }

    @Test
    void shouldForgetTheRequestWhenItWasTaken() {
        protocol.beginPark();
        assertEquals(Turn.DRIVE_AS_ASKED, protocol.turn(false));
        protocol.leave();
        protocol.endPark();
        assertEquals(Turn.DRIVE_AS_ASKED, protocol.turn(true), "threads were parked when it left");
        protocol.leave();
        assertEquals(Turn.REST, protocol.turn(true));
    }
}
