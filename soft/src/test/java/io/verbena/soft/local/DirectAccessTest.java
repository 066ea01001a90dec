package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.CompletionStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// WRITEs and READs that the posting call executes, and those that it must not execute.
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class DirectAccessTest implements OverSharedMemory {
    private static final int BYTES = 1000;
    private static final int FROM = 300_000;
    private static final int INTO = 400_000;
    /// More than the send queue takes.
    private static final int MANY = 100;

    private final SharedPair pair = OpenPair.open();
    private final ConnectionEnd left = pair.left;
    private final ConnectionEnd right = pair.right;

    @AfterEach
    void close() {
        pair.close();
    }

    private void expect(CompletionStatus... statuses) {
        assertTrue(pair.driveUntil(() -> left.completions.size() >= statuses.length));
        assertEquals(List.of(statuses), left.statuses());
        assertEquals(0, pair.faults());
    }

    private SendRequest write(long wrId) {
        return left.qp
                .newSendRequest()
                .wrId(wrId)
                .write(right.memory.address() + INTO, right.memory.rkey())
                .from(left.memory, FROM, BYTES);
    }

    private SendRequest read(long wrId) {
        return left.qp
                .newSendRequest()
                .wrId(wrId)
                .read(right.memory.address() + FROM, right.memory.rkey())
                .into(left.memory, INTO, BYTES);
    }

    @Test
    void shouldReportOnlySignaledCopies() {
        byte[] ours = left.fill(FROM, BYTES, 1);
        byte[] theirs = right.fill(FROM, BYTES, 2);
        SharedPair.hold(
                right,
                () -> SharedPair.hold(left, () -> {
                    for (int i = 0; i < MANY; i++) {
                        left.post(write(1));
                        left.post(read(2));
                    }
                    assertArrayEquals(ours, right.bytes(INTO, BYTES));
                    assertArrayEquals(theirs, left.bytes(INTO, BYTES));
                    left.post(write(3).signaled());
                    left.post(write(4));
                    left.post(read(5).signaled());
                    left.post(read(6));
                }));
        OpenPair.pollOften(pair);
        assertEquals(List.of(3L, 5L), left.wrIds());
        expect(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS);
    }

    @Test
    void shouldNotWriteWithoutRemoteRight() {
        MemoryRegion readOnly = right.pd.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_READ);
        left.fill(FROM, BYTES, 1);
        SharedPair.hold(
                left,
                () -> left.post(left.request(1)
                        .write(readOnly.address(), readOnly.rkey())
                        .from(left.memory, FROM, BYTES)));
        expect(CompletionStatus.REMOTE_ACCESS_ERROR);
        assertArrayEquals(new byte[BYTES], readOnly.memory().toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void shouldNotReadWithoutRemoteRight() {
        MemoryRegion writeOnly = right.pd.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        writeOnly.memory().fill((byte) 5);
        SharedPair.hold(
                left,
                () -> left.post(left.request(1)
                        .read(writeOnly.address(), writeOnly.rkey())
                        .into(left.memory, INTO, BYTES)));
        expect(CompletionStatus.REMOTE_ACCESS_ERROR);
        assertArrayEquals(new byte[BYTES], left.bytes(INTO, BYTES));
    }

    @Test
    void shouldNotReadWithoutLocalWriteRight() {
        MemoryRegion constant = left.pd.allocate(BYTES);
        right.fill(FROM, BYTES, 1);
        SharedPair.hold(
                left,
                () -> left.post(left.request(1)
                        .read(right.memory.address() + FROM, right.memory.rkey())
                        .into(constant, 0, BYTES)));
        expect(CompletionStatus.LOCAL_PROTECTION_ERROR);
        assertArrayEquals(new byte[BYTES], constant.memory().toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void shouldNotTouchWhatLiesBehindTheRegion() {
        MemoryRegion small = right.pd.allocate(BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        left.fill(FROM, BYTES, 1);
        SharedPair.hold(
                left,
                () -> left.post(
                        left.request(1).write(small.address() + 1, small.rkey()).from(left.memory, FROM, BYTES)));
        expect(CompletionStatus.REMOTE_ACCESS_ERROR);
        assertArrayEquals(new byte[BYTES], small.memory().toArray(ValueLayout.JAVA_BYTE));
    }

    private SendRequest inlineWrite(MemorySegment bytes) {
        return left.request(1)
                .write(right.memory.address() + INTO, right.memory.rkey())
                .fromInline(bytes);
    }

    @Test
    void shouldWriteInlineBytes() {
        MemorySegment bytes = Arena.ofAuto().allocate(8);
        bytes.set(ValueLayout.JAVA_LONG, 0, 4711);
        SharedPair.hold(
                right,
                () -> SharedPair.hold(left, () -> {
                    left.post(inlineWrite(bytes));
                    // The call copies inline bytes, whenever the request is executed.
                    bytes.set(ValueLayout.JAVA_LONG, 0, 0);
                }));
        expect(CompletionStatus.SUCCESS);
        assertEquals(4711, right.word(INTO));
    }

    @Test
    void shouldWriteNothingOfClosedInlineMemory() {
        SendRequest request;
        try (Arena arena = Arena.ofShared()) {
            request = inlineWrite(arena.allocate(8).fill((byte) 7));
        }
        SharedPair.hold(left, () -> assertThrows(IllegalStateException.class, () -> left.post(request)));
        left.fill(FROM, BYTES, 1);
        left.post(write(2).signaled());
        expect(CompletionStatus.SUCCESS);
        assertEquals(List.of(2L), left.wrIds());
        assertArrayEquals(left.bytes(FROM, BYTES), right.bytes(INTO, BYTES));
    }

    @Test
    void shouldWriteInlineBytesInTheirTurn() {
        MemorySegment bytes = Arena.ofAuto().allocate(8);
        bytes.set(ValueLayout.JAVA_LONG, 0, 4711);
        right.receive(9, 0, INTO);
        SharedPair.hold(
                right,
                () -> SharedPair.hold(left, () -> {
                    left.send(0, 0, INTO);
                    left.post(inlineWrite(bytes));
                    assertEquals(0, right.word(INTO));
                }));
        expect(CompletionStatus.SUCCESS, CompletionStatus.SUCCESS);
        assertEquals(List.of(0L, 1L), left.wrIds());
        assertEquals(4711, right.word(INTO));
    }

    @Test
    void shouldRefuseMoreInlineBytesThanTheQueuePairTakes() {
        MemorySegment bytes = Arena.ofAuto().allocate(left.qp.capabilities().maxInlineBytes() + 1);
        bytes.fill((byte) 7);
        SharedPair.hold(left, () -> assertThrows(BadRequestException.class, () -> left.post(inlineWrite(bytes))));
        assertEquals(0, right.word(INTO));
    }
}
