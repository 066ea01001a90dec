package io.verbena.rdmacore.rig;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbena.rdmacore.layout.ContextOps;
import io.verbena.rdmacore.layout.Cq;
import io.verbena.rdmacore.layout.IbvContext;
import io.verbena.rdmacore.layout.Qp;
import io.verbena.rdmacore.layout.RecvWr;
import io.verbena.rdmacore.layout.SendWr;
import io.verbena.rdmacore.layout.Sge;
import io.verbena.rdmacore.layout.StructField.U64;
import io.verbena.rdmacore.layout.Wc;
import io.verbena.rdmacore.lib.Memory;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/// A driver written in Java: a context whose functions come back to this class, a queue pair and a completion queue.
/// Requests are read as C would read them.
public final class FakeDriver implements AutoCloseable {
    public record Buffer(long address, int length, int lkey) {}

    /// A request as it arrived; what its operation does not have is whatever was in the struct.
    public record Arrived(
            long wrId,
            int opcode,
            int flags,
            int immediate,
            long remoteAddress,
            int rkey,
            long compareAdd,
            long swap,
            int atomicKey,
            List<Buffer> buffers,
            String inline) {}

    private final Arena arena = Arena.ofShared();
    private final long context = arena.allocate(IbvContext.SIZE, 8).address();
    private final long qp = arena.allocate(Qp.SIZE, 8).address();
    private final long cq = arena.allocate(Cq.SIZE, 8).address();
    public final List<Arrived> sends = new ArrayList<>();
    public final List<Arrived> receives = new ArrayList<>();
    public int calls;
    /// Requests until the queue is full.
    public int room = Integer.MAX_VALUE;
    /// The request that is refused as malformed, by its number.
    public long malformed = -1;
    /// Whether it says which request it refuses; not all drivers do.
    public boolean namesTheRefused = true;
    /// Completions to come.
    public int completions;

    /// The opcode of the completions: at first, a receive with immediate data.
    public int opcode = 0x81;

    private long nextWrId = 1;

    public FakeDriver() {
        put(ContextOps.POST_SEND, "postSend", long.class, long.class, long.class);
        put(ContextOps.POST_RECV, "postReceive", long.class, long.class, long.class);
        put(ContextOps.POLL_CQ, "poll", long.class, int.class, long.class);
        put(ContextOps.REQ_NOTIFY_CQ, "arm", long.class, int.class);
        Qp.CONTEXT.set(qp, context);
        Qp.QP_NUM.set(qp, 0x11);
        state(QueuePairState.RTS);
        Cq.CONTEXT.set(cq, context);
        Cq.CQE.set(cq, 127);
    }

    @SuppressWarnings("restricted")
    private void put(int place, String method, Class<?>... takes) {
        try {
            FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_INT);
            for (Class<?> type : takes) {
                descriptor = descriptor.appendArgumentLayouts(type == long.class ? JAVA_LONG : JAVA_INT);
            }
            var handle = MethodHandles.lookup().bind(this, method, MethodType.methodType(int.class, takes));
            MemorySegment stub = Linker.nativeLinker().upcallStub(handle, descriptor, arena);
            Memory.putLong(context + place, stub.address());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public long qp() {
        return qp;
    }

    public long cq() {
        return cq;
    }

    public MemorySegment function(int place) {
        return ContextOps.function(context, place);
    }

    public void state(QueuePairState state) {
        Qp.STATE.set(qp, state.code());
    }

    private int postSend(long queue, long first, long bad) {
        return post(queue, first, bad, SendWr.NEXT, FakeDriver::readSend, sends);
    }

    private int postReceive(long queue, long first, long bad) {
        return post(queue, first, bad, RecvWr.NEXT, FakeDriver::readReceive, receives);
    }

    private interface Reader {
        Arrived read(long request);
    }

    private int post(long queue, long first, long bad, U64 next, Reader reader, List<Arrived> arrived) {
        calls++;
        if (queue != qp) {
            return Errno.EFAULT.number();
        }
        for (long request = first; request != 0; request = next.get(request)) {
            Arrived one = reader.read(request);
            if (one.wrId == malformed || room == 0) {
                if (namesTheRefused) {
                    Memory.putLong(bad, request);
                }
                return room == 0 ? Errno.ENOMEM.number() : Errno.EINVAL.number();
            }
            room--;
            arrived.add(one);
        }
        return 0;
    }

    private static Arrived readSend(long wr) {
        List<Buffer> buffers = readBuffers(SendWr.SG_LIST.get(wr), SendWr.NUM_SGE.get(wr));
        int flags = SendWr.SEND_FLAGS.get(wr);
        boolean inline = (flags & 8) != 0 && !buffers.isEmpty();
        return new Arrived(
                SendWr.WR_ID.get(wr),
                SendWr.OPCODE.get(wr),
                flags,
                SendWr.IMM_DATA.get(wr),
                SendWr.WR_RDMA_REMOTE_ADDR.get(wr),
                SendWr.WR_RDMA_RKEY.get(wr),
                SendWr.WR_ATOMIC_COMPARE_ADD.get(wr),
                SendWr.WR_ATOMIC_SWAP.get(wr),
                SendWr.WR_ATOMIC_RKEY.get(wr),
                buffers,
                inline ? Memory.string(buffers.getFirst().address, buffers.getFirst().length) : "");
    }

    private static Arrived readReceive(long wr) {
        List<Buffer> buffers = readBuffers(RecvWr.SG_LIST.get(wr), RecvWr.NUM_SGE.get(wr));
        return new Arrived(RecvWr.WR_ID.get(wr), 0, 0, 0, 0, 0, 0, 0, 0, buffers, "");
    }

    private static List<Buffer> readBuffers(long list, int count) {
        List<Buffer> buffers = new ArrayList<>();
        for (long sge = list; sge < list + (long) count * Sge.SIZE; sge += Sge.SIZE) {
            buffers.add(new Buffer(Sge.ADDR.get(sge), Sge.LENGTH.get(sge), Sge.LKEY.get(sge)));
        }
        return buffers;
    }

    private int poll(long queue, int limit, long array) {
        calls++;
        if (queue != cq) {
            return -1;
        }
        int n = Math.min(limit, completions);
        for (long wc = array; wc < array + (long) n * Wc.SIZE; wc += Wc.SIZE) {
            Wc.WR_ID.set(wc, nextWrId++);
            Wc.STATUS.set(wc, 0);
            Wc.OPCODE.set(wc, opcode);
            Wc.BYTE_LEN.set(wc, -1);
            Wc.IMM_DATA.set(wc, 0x0102_0304);
            Wc.QP_NUM.set(wc, 0x11);
            Wc.WC_FLAGS.set(wc, 3);
        }
        completions -= n;
        return n;
    }

    private int arm(long queue, int solicitedOnly) {
        calls++;
        return queue == cq ? solicitedOnly : Errno.EFAULT.number();
    }

    @Override
    public void close() {
        arena.close();
    }
}
