package io.verbena.verbs.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.FlushType;
import io.verbena.verbs.attr.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendRequestFieldsTest {
    private final BufferList buffers = new BufferList(2) {
        @Override
        protected void store(int index, long address, long length, int lkey, MemoryRegion region) {}
    };

    private final List<String> changes = new ArrayList<>();
    private final SendRequestFields request = new SendRequestFields(buffers) {
        @Override
        protected void onRemoteAddress() {
            changes.add("address");
        }

        @Override
        protected void onTarget() {
            changes.add("target");
        }

        @Override
        protected void onChange() {
            changes.add("other");
        }
    };

    @Test
    void shouldReportOnlyTheTargetWhenTheOperationStaysTheSame() {
        assertNull(request.operation());
        request.write(1, 2)
                .wrId(3)
                .write(4, 5)
                .remote(6, 7)
                .remote(8, 7)
                .signaled()
                .signaled();
        assertEquals(List.of("other", "target", "target", "address", "other"), changes);
        assertEquals(List.of(3L, 8L, 7L), List.of(request.wrId(), request.remoteAddress(), (long) request.rkey()));
        assertEquals(SendRequestFields.SIGNALED, request.flags());
    }

    @Test
    void shouldReportOperands() {
        request.fetchAndAdd(8, 1, 5);
        changes.clear();
        request.fetchAndAdd(8, 1, 6);
        assertTrue(changes.contains("other"));
        assertEquals(6, request.operand());
    }

    @Test
    void shouldKeepTheKeyOfOperationsWithoutARemoteAddress() {
        request.sendWithInvalidate(0x77).remote(1, 2).immediate(3);
        assertEquals(0x77, request.rkey());
        request.bindMemoryWindow(null, 0x88, null, 4096, 64, Access.REMOTE_READ).remote(1, 2);
        assertEquals(0x88, request.rkey());
        assertEquals(4096, request.remoteAddress());
    }

    @Test
    void shouldTellAFlushOfARegionFromOneOfARange() {
        request.flushRegion(1, FlushType.PERSISTENCE);
        assertTrue((request.secondOperand() & SendRequestFields.WHOLE_REGION) != 0);
        request.flush(0, 1, 10, FlushType.PERSISTENCE);
        assertEquals(FlushType.bits(FlushType.PERSISTENCE), request.secondOperand());
        assertEquals(10, request.operand());
    }

    @Test
    void shouldClearTheInlineFlagThatInlineBytesSet() {
        request.send().fromInline(MemorySegment.ofArray(new byte[3]));
        assertTrue(request.isInline());
        request.fromAddress(1, 2, 3);
        assertFalse(request.isInline());
        request.inline().fromAddress(1, 2, 3);
        assertTrue(request.isInline(), "the program set it");
    }

    @Test
    void shouldTakeDestinationsOfDataOnlyForOperationsThatBringSome() {
        request.write(1, 2);
        assertThrows(IllegalStateException.class, () -> request.into(null, 0, 1));
        assertEquals(Operation.RDMA_WRITE, request.operation());
        assertEquals(0, buffers.count());
    }
}
