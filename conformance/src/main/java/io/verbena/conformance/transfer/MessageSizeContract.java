package io.verbena.conformance.transfer;

import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Mtu;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every operation with messages around every boundary, at every MTU, with the bytes compared.
public abstract class MessageSizeContract extends Contract {
    private static final int MEBIBYTE = 1 << 20;

    protected MessageSizeContract() {}

    private static int[] around(int mtu) {
        return new int[] {
            0, 1, 2, 3, 4, mtu - 1, mtu, mtu + 1, 2 * mtu - 1, 2 * mtu, 2 * mtu + 1, 7 * mtu - 1, 7 * mtu + 3
        };
    }

    private void moveAll(Transfer transfer, Mtu mtu, int... lengths) {
        assumeTrue(
                mtu.bytes() <= left().context().port(1).activeMtu().bytes()
                        && mtu.bytes() <= right().context().port(1).activeMtu().bytes(),
                () -> "the ports do not carry MTU " + mtu.bytes());
        QueuePairLink link = link(LinkOptions.DEFAULT.mtu(mtu));
        int most = 0;
        for (int length : lengths) {
            most = Math.max(most, length);
        }
        MemoryRegion near = left().memory(most + 64L);
        MemoryRegion far = right().memory(most + 64L);
        long seed = 1;
        for (int length : lengths) {
            transfer.move(link, near, 16, far, 32, length, seed++);
            transfer.move(link, near, 13, far, 7, length, seed++); // not aligned
        }
        link.left().qp().close();
        link.right().qp().close();
        near.close();
        far.close();
    }

    @TestFactory
    @Rule({"MSG-1", "POST-7", "CQ-6"})
    List<DynamicTest> shouldMoveMessagesAroundPacketBoundaries() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Mtu mtu : Mtu.values()) {
            for (Transfer transfer : Transfer.values()) {
                tests.add(dynamicTest(
                        transfer + " at MTU " + mtu.bytes(), () -> moveAll(transfer, mtu, around(mtu.bytes()))));
            }
        }
        return tests;
    }

    @TestFactory
    @Rule({"MSG-1", "REL-5"})
    List<DynamicTest> shouldMoveOneMebibyte() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Mtu mtu : Mtu.values()) {
            for (Transfer transfer : List.of(Transfer.SEND, Transfer.WRITE, Transfer.READ)) {
                tests.add(dynamicTest(
                        transfer + " at MTU " + mtu.bytes(), () -> moveAll(transfer, mtu, MEBIBYTE, MEBIBYTE + 1)));
            }
        }
        return tests;
    }

    @Test
    @Rule({"MSG-1", "REL-5"})
    void shouldMoveAMessageOfManyWindows() {
        long most = Math.min(
                left().context().port(1).maxMessageBytes(),
                right().context().port(1).maxMessageBytes());
        int length = (int) Math.min(most, 8L * MEBIBYTE);
        Mtu mtu = Mtu.min(
                left().context().port(1).activeMtu(), right().context().port(1).activeMtu());
        QueuePairLink link = link(LinkOptions.DEFAULT.mtu(mtu));
        MemoryRegion near = left().memory(length);
        MemoryRegion far = right().memory(length);
        Transfer.WRITE.move(link, near, 0, far, 0, length, 1);
        Transfer.READ.move(link, near, 0, far, 0, length, 2);
        Transfer.SEND.move(link, near, 0, far, 0, length, 3);
    }

    @TestFactory
    @Rule("MSG-2")
    List<DynamicTest> shouldKeepWorkingWhenPsnWrapsAround() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Transfer transfer : Transfer.values()) {
            tests.add(dynamicTest(transfer.toString(), () -> {
                QueuePairLink link = link(LinkOptions.DEFAULT.mtu(Mtu.MTU_256).psns(0xFF_FFFE, 0xFF_FFFF));
                MemoryRegion near = left().memory(4096);
                MemoryRegion far = right().memory(4096);
                for (int i = 1; i <= 10; i++) {
                    transfer.move(link, near, 0, far, 0, 300 * i, i);
                }
            }));
        }
        return tests;
    }
}
