package io.verbena.rdmacore.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.layout.Ah;
import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.Mr;
import io.verbena.rdmacore.layout.Mw;
import io.verbena.rdmacore.layout.Qp;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.rdmacore.mem.NativeMemoryRegion;
import io.verbena.rdmacore.mem.NativeMemoryWindow;
import io.verbena.rdmacore.rig.FakeDriver;
import io.verbena.rdmacore.rig.PlainRegion;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import io.verbena.verbs.attr.MemoryWindowType;
import io.verbena.verbs.attr.Operation;
import io.verbena.verbs.attr.QueuePairCapabilities;
import io.verbena.verbs.attr.QueuePairType;
import java.lang.foreign.Arena;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that name objects which the driver reads: address handles, memory windows and regions.
class NamedObjectsTest {
    private final Arena arena = Arena.ofShared();
    private final FakeDriver driver = new FakeDriver();
    private final SendPosts sends = sends(QueuePairType.RC);
    private final SendPosts datagrams = sends(QueuePairType.UD);
    private final long ah = struct(Ah.SIZE);
    private final long mw = struct(Mw.SIZE);
    private final NativeAddressHandle handle = new NativeAddressHandle(null, AddressVector.to(new Gid(0, 1)), ah);
    private final long mr = arena.allocate(Mr.SIZE, 8).address();
    private final NativeMemoryRegion region =
            new NativeMemoryRegion(null, mr, arena.allocate(64), 0x9000, Access.MEMORY_WINDOW_BIND.bit(), null);

    /// Zeros after a pointer to the driver's context.
    private long struct(int bytes) {
        long address = arena.allocate(bytes, 8).address();
        Memory.putLong(address, Qp.CONTEXT.get(driver.qp()));
        return address;
    }

    private SendPosts sends(QueuePairType type) {
        return new SendPosts(
                "post send",
                driver.function(ContextOps.POST_SEND),
                driver.qp(),
                type,
                new QueuePairCapabilities(16, 16, 2, 2, 16),
                operation -> {},
                null);
    }

    private NativeMemoryWindow window(MemoryWindowType type) {
        Mw.RKEY.set(mw, 0x500);
        return new NativeMemoryWindow(null, type, mw);
    }

    private SendRequest bind(NativeMemoryWindow window) {
        return new NativeSendRequest(2, 16, false)
                .bindMemoryWindow(window, 0x501, region, 0x9010, 32, Access.REMOTE_READ, Access.REMOTE_WRITE);
    }

    @AfterEach
    void closeAll() {
        driver.close();
        arena.close();
    }

    @Test
    void shouldNameTheAddressHandleOfADatagram() {
        SendRequest request = new NativeSendRequest(2, 16, true).send().empty().to(handle, 0x99, 0x1111);
        assertTrue(datagrams.post(request));
        FakeDriver.Arrived arrived = driver.sends.getFirst();
        assertEquals(ah, arrived.remoteAddress(), "the pointer is where connections have an address");
        assertEquals(0x99, arrived.rkey(), "and the number where they have a key");
    }

    @Test
    void shouldRefuseADatagramWithoutDestination() {
        SendRequest request = new NativeSendRequest(2, 16, true).send().empty();
        assertThrows(BadRequestException.class, () -> datagrams.post(request));
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldRefuseObjectsOfAnotherContext() {
        Memory.putLong(ah, 1);
        Memory.putLong(mw, 1);
        SendRequest send = new NativeSendRequest(2, 16, true).send().empty().to(handle, 1, 1);
        assertThrows(BadRequestException.class, () -> datagrams.post(send));
        assertThrows(BadRequestException.class, () -> sends.post(bind(window(MemoryWindowType.TYPE_2))));
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldHoldNothingAfterPosting() {
        SendRequest request = new NativeSendRequest(2, 16, true).send().empty().to(handle, 1, 1);
        datagrams.post(request);
        driver.room = 0;
        assertFalse(datagrams.post(request));
        datagrams.post(List.of(request));
        assertTrue(handle.acquire(), "it is open");
        handle.release();
        assertThrows(
                BadRequestException.class,
                () -> datagrams.post(
                        new NativeSendRequest(2, 16, true).write(1, 1).to(handle, 1, 1)));
    }

    /// Also a list may do that, which is asked for its elements one by one.
    @Test
    void shouldReleaseWhatItHeldWhenARequestIsChangedMeanwhile() {
        NativeAddressHandle other = new NativeAddressHandle(null, AddressVector.to(new Gid(0, 2)), struct(Ah.SIZE));
        SendRequest first = new NativeSendRequest(2, 16, true).send().empty().to(handle, 1, 1);
        SendRequest second = new NativeSendRequest(2, 16, true).send().empty().to(handle, 1, 1);
        datagrams.post(new AbstractList<SendRequest>() {
            @Override
            public SendRequest get(int index) {
                return index == 0 ? first : changed();
            }

            private SendRequest changed() {
                first.to(other, 1, 1);
                return second;
            }

            @Override
            public int size() {
                return 2;
            }
        });
        assertTrue(other.acquire(), "it was released without being held, and looks closed");
        assertTrue(handle.acquire());
    }

    @Test
    void shouldLeaveTheAddressHandleToTheQueueThatPosts() {
        SendRequest request = new NativeSendRequest(2, 16, true).send().empty().to(handle, 0x99, 1);
        request.write(0x1234, 5).send();
        assertTrue(datagrams.post(request));
        assertEquals(0x99, driver.sends.getFirst().rkey(), "the number of the queue pair is still there");
    }

    @Test
    void shouldBindAWindowUnderTheNewKeyWhenPosted() {
        NativeMemoryWindow window = window(MemoryWindowType.TYPE_2);
        NativeSendRequest request = (NativeSendRequest) bind(window);
        assertEquals(0x500, window.rkey());
        assertTrue(sends.post(request));
        assertEquals(0x501, window.rkey());
        assertEquals(0x501, Mw.RKEY.get(mw));
        assertEquals(
                Operation.BIND_MEMORY_WINDOW.code(), driver.sends.getFirst().opcode());
        assertEquals(mw, SendWr.BIND_MW_MW.get(request.struct.address));
        assertEquals(0x501, SendWr.BIND_MW_RKEY.get(request.struct.address));
        assertEquals(mr, SendWr.BIND_MW_BIND_INFO_MR.get(request.struct.address));
        assertEquals(0x9010, SendWr.BIND_MW_BIND_INFO_ADDR.get(request.struct.address));
        assertEquals(32, SendWr.BIND_MW_BIND_INFO_LENGTH.get(request.struct.address));
        assertEquals(6, SendWr.BIND_MW_BIND_INFO_MW_ACCESS_FLAGS.get(request.struct.address));
    }

    @Test
    void shouldKeepTheOldKeyWhenTheQueueIsFull() {
        NativeMemoryWindow window = window(MemoryWindowType.TYPE_2);
        driver.room = 0;
        assertFalse(sends.post(bind(window)));
        assertEquals(0x500, window.rkey());
    }

    @Test
    void shouldRefuseToBindByRequestWhatIsBoundByCall() {
        NativeMemoryWindow window = window(MemoryWindowType.TYPE_1);
        BadRequestException refused = assertThrows(BadRequestException.class, () -> sends.post(bind(window)));
        assertTrue(refused.getMessage().contains("MemoryWindow.bind"), refused::getMessage);
        PlainRegion foreign = new PlainRegion(arena.allocate(8), 1, 1);
        assertThrows(
                BadRequestException.class,
                () -> sends.post(new NativeSendRequest(2, 16, false).bindMemoryWindow(window, 1, foreign, 0, 8)));
        assertEquals(0, driver.calls);
    }

    @Test
    void shouldNotHandBuffersToOperationsWithout() {
        SendRequest request = new NativeSendRequest(2, 16, false).send().from(region, 0, 8);
        sends.post(request.localInvalidate(0x77));
        assertEquals(List.of(), driver.sends.getFirst().buffers());
        sends.post(request.send());
        assertEquals(1, driver.sends.getLast().buffers().size());
    }
}
