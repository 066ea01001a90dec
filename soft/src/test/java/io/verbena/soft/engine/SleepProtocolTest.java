package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.engine.SleepProtocol.DeviceAction;
import org.junit.jupiter.api.Test;

/// The rows of the table in [SleepProtocol], one by one.
class SleepProtocolTest {
    private final SleepProtocol protocol = new SleepProtocol();

    @Test
    void shouldLetAWaitingThreadSleepOnTheWireWhenThePlaceIsFree() {
        assertFalse(protocol.beginWait(), "nobody need make room");
        assertEquals(SleepProtocol.WaiterAction.SLEEP, protocol.sleepOrPark());
    }

    @Test
    void shouldParkTheSecondThreadThatWaitsWhenOneSleeps() {
        protocol.beginWait();
        protocol.sleepOrPark();
        protocol.beginWait();
        assertEquals(SleepProtocol.WaiterAction.PARK, protocol.sleepOrPark());
    }

    @Test
    void shouldLetTheDeviceRestWhenTheProgramDrives() {
        assertEquals(DeviceAction.REST, protocol.nextDeviceAction(true));
        assertEquals(DeviceAction.DRIVE, protocol.nextDeviceAction(false));
    }

    @Test
    void shouldMakeRoomForAThreadThatWaitsWhenTheDeviceSleeps() {
        assertEquals(DeviceAction.DRIVE, protocol.nextDeviceAction(false));
        assertTrue(protocol.beginWait(), "the device's thread must be woken");
        assertTrue(protocol.mustLeave());
        assertEquals(SleepProtocol.WaiterAction.SPIN, protocol.sleepOrPark());
        assertFalse(protocol.leave());
        assertEquals(SleepProtocol.WaiterAction.SLEEP, protocol.sleepOrPark());
    }

    @Test
    void shouldYieldWhenAThreadWaitsOrSleeps() {
        protocol.beginWait();
        assertEquals(DeviceAction.YIELD, protocol.nextDeviceAction(false));
        protocol.sleepOrPark();
        protocol.leave();
        assertFalse(protocol.endWait(), "the device's thread checks soon");
        assertEquals(DeviceAction.DRIVE, protocol.nextDeviceAction(false));
    }

    @Test
    void shouldLetTheDeviceSleepWhenAWaitLastsAndWakeItAtTheEnd() {
        protocol.beginWait();
        protocol.sleepOrPark();
        assertEquals(DeviceAction.YIELD, protocol.nextDeviceAction(false));
        assertEquals(DeviceAction.YIELD_LONG, protocol.nextDeviceAction(false));
        assertFalse(protocol.leave(), "the thread still waits");
        protocol.sleepOrPark();
        assertEquals(DeviceAction.YIELD_LONG, protocol.nextDeviceAction(false));
        protocol.leave();
        assertTrue(protocol.endWait(), "the device's thread must be woken");
        assertEquals(DeviceAction.DRIVE, protocol.nextDeviceAction(false));
    }

    @Test
    void shouldNotLetTheDeviceSleepWhenWaitsAreShort() {
        for (int i = 0; i < 3; i++) {
            protocol.beginWait();
            assertEquals(DeviceAction.YIELD, protocol.nextDeviceAction(false));
            assertFalse(protocol.endWait());
        }
    }

    @Test
    void shouldWakeTheDeviceOnlyWhenTheLastOfSeveralWaitsEnds() {
        protocol.beginWait();
        protocol.beginWait();
        protocol.sleepOrPark();
        assertEquals(DeviceAction.YIELD, protocol.nextDeviceAction(false));
        assertEquals(DeviceAction.YIELD_LONG, protocol.nextDeviceAction(false));
        assertFalse(protocol.endWait(), "another thread waits");
        assertTrue(protocol.endWait());
        assertFalse(protocol.endWait(), "it is awake");
    }

    @Test
    void shouldDriveForParkedThreadsAlthoughTheProgramDrove() {
        protocol.beginPark();
        assertEquals(DeviceAction.DRIVE_ON_REQUEST, protocol.nextDeviceAction(true));
    }

    @Test
    void shouldDriveForParkedThreadsAlthoughAnotherOneWaits() {
        protocol.beginPark();
        protocol.beginWait();
        assertEquals(DeviceAction.DRIVE_ON_REQUEST, protocol.nextDeviceAction(false));
        assertFalse(protocol.mustLeave());
        assertEquals(SleepProtocol.WaiterAction.PARK, protocol.sleepOrPark(), "the device's thread does it for all");
    }

    @Test
    void shouldWakeTheDeviceToMakeRoomWhenTheLastParkedThreadIsGone() {
        protocol.beginPark();
        protocol.nextDeviceAction(false);
        assertFalse(protocol.beginWait(), "the device's thread stays for the parked one");
        assertTrue(protocol.endPark());
        assertEquals(SleepProtocol.WaiterAction.SPIN, protocol.sleepOrPark());
    }

    @Test
    void shouldAskTheDeviceAgainWhenTheSleeperLeavesAndOthersAreParked() {
        protocol.beginWait();
        protocol.sleepOrPark();
        protocol.beginPark();
        assertEquals(DeviceAction.YIELD, protocol.nextDeviceAction(false), "the sleeper does it for all");
        assertTrue(protocol.leave(), "the device's thread must be woken");
        protocol.endWait();
        assertEquals(DeviceAction.DRIVE_ON_REQUEST, protocol.nextDeviceAction(true));
    }

    @Test
    void shouldForgetTheRequestWhenItWasTaken() {
        protocol.beginPark();
        assertEquals(DeviceAction.DRIVE_ON_REQUEST, protocol.nextDeviceAction(false));
        protocol.leave();
        protocol.endPark();
        assertEquals(
                DeviceAction.DRIVE_ON_REQUEST, protocol.nextDeviceAction(true), "threads were parked when it left");
        protocol.leave();
        assertEquals(DeviceAction.REST, protocol.nextDeviceAction(true));
    }
}
