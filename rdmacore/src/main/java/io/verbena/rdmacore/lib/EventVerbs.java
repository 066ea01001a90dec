package io.verbena.rdmacore.lib;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The functions of libibverbs that are called between messages, by handles of their own because that is fastest;
/// results as in [IbVerbs].
public final class EventVerbs {
    private static final Library LIBRARY = Libraries.IBVERBS.require();

    private static final MethodHandle GET_CQ_EVENT =
            LIBRARY.withErrno("ibv_get_cq_event", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ACK_CQ_EVENTS = LIBRARY.plain("ibv_ack_cq_events", null, JAVA_LONG, JAVA_INT);

    private EventVerbs() {}

    public static int getCqEvent(long channel, long cq, long cqContext) {
        MemorySegment state = CallState.mine();
        try {
            return CallState.result(state, (int) GET_CQ_EVENT.invokeExact(state, channel, cq, cqContext));
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }

    public static void ackCqEvents(long cq, int count) {
        try {
            ACK_CQ_EVENTS.invokeExact(cq, count);
        } catch (Throwable e) {
            throw Calls.unexpected(e);
        }
    }
}
