package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.Deadline;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/// The order of requests and their effects.
public abstract class OrderingContract extends Contract {
    protected OrderingContract() {}

    @Test
    @Rule("ORD-1")
    void shouldShowEarlierWritesWhenSendArrives() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(10_000);
        MemoryRegion target = right().memory(10_000);
        var random = random();
        for (int round = 0; round < 100; round++) {
            int length = 1 + random.nextInt(10_000);
            byte[] pattern = Bytes.pattern(round, length);
            Bytes.put(source, 0, pattern);
            link.right().receiveEmpty(round);
            link.left()
                    .post(link.left()
                            .request(round)
                            .write(target.remote())
                            .from(source, 0, length)
                            .unsignaled());
            link.left().post(link.left().request(round).send().empty());
            link.right().received(round);
            Bytes.assertAt(target, 0, pattern);
            link.left().sent(round);
        }
    }

    @Test
    @Rule("ORD-1")
    void shouldShowItsOwnBytesWhenWriteWithImmediateArrives() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(10_000);
        MemoryRegion target = right().memory(10_000);
        for (int round = 0; round < 100; round++) {
            byte[] pattern = Bytes.pattern(round, 10_000);
            Bytes.put(source, 0, pattern);
            link.right().receiveEmpty(round);
            link.left()
                    .post(link.left()
                            .request(round)
                            .writeWithImmediate(target.address(), target.rkey(), round)
                            .from(source, 0, 10_000));
            assertEquals(round, link.right().received(round).immediate());
            Bytes.assertAt(target, 0, pattern);
            link.left().sent(round);
        }
    }

    @Test
    @Rule("ORD-1")
    void shouldPlaceLaterWriteOverEarlierOne() {
        QueuePairLink link = link();
        MemoryRegion source = left().memory(8 * 2000);
        MemoryRegion target = right().memory(2000);
        byte[] pattern = Bytes.pattern(1, 8 * 2000);
        Bytes.put(source, 0, pattern);
        for (int i = 0; i < 8; i++) {
            link.left()
                    .post(link.left()
                            .request(i)
                            .write(target.remote())
                            .from(source, 2000L * i, 2000)
                            .signaled(i == 7));
        }
        link.left().sent(7);
        Bytes.assertAt(target, 0, Bytes.get(source, 7 * 2000, 2000));
    }

    @Test
    @Rule("ORD-1")
    void shouldReadWhatWasWrittenBefore() {
        QueuePairLink link = link();
        MemoryRegion local = left().memory(20_000);
        MemoryRegion remote = right().memory(10_000);
        for (int round = 0; round < 50; round++) {
            byte[] pattern = Bytes.pattern(round, 10_000);
            Bytes.put(local, 0, pattern);
            link.left()
                    .post(link.left()
                            .request(1)
                            .write(remote.remote())
                            .from(local, 0, 10_000)
                            .unsignaled());
            link.left().post(link.left().request(2).read(remote.remote()).into(local, 10_000, 10_000));
            link.left().sent(2);
            Bytes.assertAt(local, 10_000, pattern);
        }
    }

    @Test
    @Rule({"ORD-2", "ORD-3"})
    void shouldReadOldBytesWhenLaterWriteIsFenced() {
        QueuePairLink link = link();
        int length = 64 << 10;
        MemoryRegion local = left().memory(2L * length);
        MemoryRegion remote = right().memory(length);
        for (int round = 0; round < 10; round++) {
            byte[] old = Bytes.pattern(2L * round, length);
            byte[] fresh = Bytes.pattern(2L * round + 1, length);
            Bytes.put(remote, 0, old);
            Bytes.put(local, 0, fresh);
            link.left().post(link.left().request(1).read(remote.remote()).into(local, length, length));
            link.left()
                    .post(link.left()
                            .request(2)
                            .write(remote.remote())
                            .from(local, 0, length)
                            .fenced());
            link.left().sent(1);
            link.left().sent(2);
            Bytes.assertAt(local, length, old);
            Bytes.assertAt(remote, 0, fresh);
        }
    }

    @Test
    @Rule("ORD-3")
    void shouldSendWhatAReadBroughtWhenFenced() {
        QueuePairLink link = link();
        MemoryRegion local = left().memory(8192);
        MemoryRegion remote = right().memory(16_384);
        byte[] pattern = Bytes.pattern(3, 8192);
        Bytes.put(remote, 0, pattern);
        link.right().receive(1, remote, 8192, 8192);
        link.left().post(link.left().request(1).read(remote.remote()).into(local, 0, 8192));
        link.left().post(link.left().request(2).send().from(local, 0, 8192).fenced());
        link.left().sent(1);
        link.left().sent(2);
        link.right().received(1);
        Bytes.assertAt(remote, 8192, pattern);
    }

    @Test
    @Rule("ORD-4")
    void shouldCarryOutMoreReadsThanMayBeInFlight() {
        for (int inFlight : new int[] {1, 2, 3}) {
            QueuePairLink link = link(LinkOptions.DEFAULT.reads(inFlight, inFlight));
            MemoryRegion local = left().memory(32 * 3000);
            MemoryRegion remote = right().memory(32 * 3000);
            byte[] pattern = Bytes.pattern(inFlight, 32 * 3000);
            Bytes.put(remote, 0, pattern);
            for (int i = 0; i < 32; i++) {
                link.left()
                        .post(link.left()
                                .request(i)
                                .read(remote.address() + 3000L * i, remote.rkey())
                                .into(local, 3000L * i, 3000));
            }
            for (int i = 0; i < 32; i++) {
                link.left().sent(i);
            }
            Bytes.assertAt(local, 0, pattern);
        }
    }

    @Test
    @Rule("ORD-5")
    void shouldHoldReadsForeverWhenNoneMayBeInFlight() {
        QueuePairLink link = link(LinkOptions.DEFAULT.reads(0, 4));
        MemoryRegion local = left().memory(64);
        MemoryRegion remote = right().memory(64);
        remote.memory().fill((byte) 1);
        link.left().post(link.left().request(1).read(remote.remote()).into(local, 0, 64));
        for (int i = 0; i < 20; i++) { // traffic the other way shows that the devices work on
            link.left().receiveEmpty(i);
            link.right().post(link.right().request(i).send().empty());
            link.left().received(i);
            link.right().sent(i);
        }
        link.left().expectNoCompletion();
        assertEquals((byte) 0, local.memory().get(ValueLayout.JAVA_BYTE, 0));
        link.left().to(QueuePairState.ERR);
        link.left().sent(1, CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    @Rule("ORD-1")
    void shouldPlaceBytesOfOneWriteSoThatTheLastComesLast() {
        QueuePairLink link = link();
        int length = 8 * 1024;
        MemoryRegion source = left().memory(length);
        MemoryRegion target = right().memory(length);
        for (byte round = 1; round < 50; round++) {
            byte mark = round;
            source.memory().fill(mark);
            link.left().post(link.left().request(round).write(target.remote()).from(source, 0, length));
            Deadline.await(
                    "last packet placed", () -> target.memory().get(ValueLayout.JAVA_BYTE, length - 1024L) == mark);
            assertEquals(mark, target.memory().get(ValueLayout.JAVA_BYTE, 0));
            link.left().sent(round);
        }
    }
}
