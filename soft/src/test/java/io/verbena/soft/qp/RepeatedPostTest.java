package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.rig.SimulatedPair;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.Mtu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that are posted many times are not checked each time, but after each change.
class RepeatedPostTest {
    private final SimulatedPair pair = new SimulatedPair(1, 4096).connect(Mtu.MTU_256);
    private final SimulatedPair.Side left = pair.left;
    private final MemoryRegion there = pair.right.memory;

    @AfterEach
    void close() {
        pair.close();
    }

    private SendRequest fetchAndAdd() {
        return left.request(1).fetchAndAdd(there.address(), there.rkey(), 1).into(left.memory, 0, 8);
    }

    private void assertTaken(SendRequest request) {
        assertTrue(left.qp.post(request));
        assertTrue(left.qp.post(request.wrId(2)));
    }

    private void assertRefused(SendRequest request) {
        assertThrows(BadRequestException.class, () -> left.qp.post(request));
    }

    @Test
    void shouldRefuseWhenTheBuffersBecomeTooShort() {
        SendRequest request = fetchAndAdd();
        assertTaken(request);
        assertRefused(request.empty());
        assertRefused(request);
        assertTaken(request.into(left.memory, 0, 8));
        assertRefused(request.into(left.memory, 0, 7));
    }

    @Test
    void shouldRefuseWhenTheTargetBecomesWrong() {
        SendRequest request = fetchAndAdd();
        assertTaken(request);
        assertRefused(request.remote(there.address() + 1, there.rkey()));
        assertTaken(request.remote(there.address() + 8, there.rkey()));
    }

    @Test
    void shouldRefuseWhenAFlagBecomesWrong() {
        SendRequest request = fetchAndAdd();
        assertTaken(request);
        assertRefused(request.inline(true));
        assertTaken(request.inline(false));
    }

    @Test
    void shouldRefuseWhenTheRegionIsClosed() {
        MemoryRegion region = left.pd.allocate(64, Access.LOCAL_WRITE);
        SendRequest send = left.request(1).send().from(region, 0, 8);
        ReceiveRequest receive = left.qp.newReceiveRequest().into(region, 0, 8);
        assertTaken(send);
        assertTrue(left.qp.post(receive) && left.qp.post(receive));
        region.close();
        assertRefused(send);
        assertThrows(BadRequestException.class, () -> left.qp.post(receive));
    }

    @Test
    void shouldRefuseAtAnotherQueuePair() {
        QueuePair other = left.pd.createQueuePair(QueuePairOptions.rc(left.cq));
        SendRequest request = fetchAndAdd();
        assertTaken(request);
        assertThrows(BadRequestException.class, () -> other.post(request));
        ReceiveRequest receive = left.qp.newReceiveRequest().empty();
        assertTrue(left.qp.post(receive));
        assertThrows(BadRequestException.class, () -> other.post(receive));
    }
}
