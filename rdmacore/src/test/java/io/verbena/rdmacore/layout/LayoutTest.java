package io.verbena.rdmacore.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.rdmacore.layout.AbiFacts.Offset;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LayoutTest {
    static Stream<Arguments> layouts() {
        return Map.ofEntries(
                        Map.entry(IbvContext.class, "ibv_context"),
                        Map.entry(VerbsContext.class, "verbs_context"),
                        Map.entry(IbvDevice.class, "ibv_device"),
                        Map.entry(DeviceAttr.class, "ibv_device_attr"),
                        Map.entry(DeviceAttrEx.class, "ibv_device_attr_ex"),
                        Map.entry(PortAttr.class, "ibv_port_attr"),
                        Map.entry(GidEntryStruct.class, "ibv_gid_entry"),
                        Map.entry(Mr.class, "ibv_mr"),
                        Map.entry(Qp.class, "ibv_qp"),
                        Map.entry(QpCap.class, "ibv_qp_cap"),
                        Map.entry(QpInitAttr.class, "ibv_qp_init_attr"),
                        Map.entry(QpAttr.class, "ibv_qp_attr"),
                        Map.entry(AhAttr.class, "ibv_ah_attr"),
                        Map.entry(Cq.class, "ibv_cq"),
                        Map.entry(Wc.class, "ibv_wc"),
                        Map.entry(Sge.class, "ibv_sge"),
                        Map.entry(SendWr.class, "ibv_send_wr"),
                        Map.entry(RecvWr.class, "ibv_recv_wr"),
                        Map.entry(QpInitAttrEx.class, "ibv_qp_init_attr_ex"),
                        Map.entry(QpEx.class, "ibv_qp_ex"),
                        Map.entry(SrqAttr.class, "ibv_srq_attr"),
                        Map.entry(SrqInitAttr.class, "ibv_srq_init_attr"),
                        Map.entry(Ah.class, "ibv_ah"),
                        Map.entry(Mw.class, "ibv_mw"),
                        Map.entry(MwBind.class, "ibv_mw_bind"),
                        Map.entry(CompChannel.class, "ibv_comp_channel"),
                        Map.entry(AsyncEventStruct.class, "ibv_async_event"),
                        Map.entry(RdmaEventChannel.class, "rdma_event_channel"),
                        Map.entry(RdmaCmId.class, "rdma_cm_id"),
                        Map.entry(RdmaCmEvent.class, "rdma_cm_event"),
                        Map.entry(RdmaConnParam.class, "rdma_conn_param"),
                        Map.entry(RdmaUdParam.class, "rdma_ud_param"),
                        Map.entry(RdmaCmJoinMcAttrEx.class, "rdma_cm_join_mc_attr_ex"))
                .entrySet()
                .stream()
                .map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldLayStructsOutAsTheCompilerDoes(Class<?> layout, String struct) {
        AbiFacts.check(layout, struct);
    }

    @Test
    void shouldFindTheFunctionsOfTheDriverInTheContext() {
        Map<String, Offset> ops = AbiFacts.struct("ibv_context_ops").fields();
        int base = AbiFacts.here(AbiFacts.struct("ibv_context").fields().get("OPS"));
        assertEquals(base, ContextOps.OPS);
        assertEquals(base + ops.get("ALLOC_MW").amd64(), ContextOps.ALLOC_MW);
        assertEquals(base + ops.get("BIND_MW").amd64(), ContextOps.BIND_MW);
        assertEquals(base + ops.get("DEALLOC_MW").amd64(), ContextOps.DEALLOC_MW);
        assertEquals(base + ops.get("POLL_CQ").amd64(), ContextOps.POLL_CQ);
        assertEquals(base + ops.get("REQ_NOTIFY_CQ").amd64(), ContextOps.REQ_NOTIFY_CQ);
        assertEquals(base + ops.get("POST_SRQ_RECV").amd64(), ContextOps.POST_SRQ_RECV);
        assertEquals(base + ops.get("POST_SEND").amd64(), ContextOps.POST_SEND);
        assertEquals(base + ops.get("POST_RECV").amd64(), ContextOps.POST_RECV);
    }

    /// The layout classes add [Architecture#MUTEX_EXTRA] or nothing, so this makes them right on the other architecture
    /// too.
    @Test
    void shouldDifferBetweenArchitecturesByTheMutexOnly() {
        assertEquals(0, Architecture.mutexExtra("amd64"));
        assertEquals(8, Architecture.mutexExtra("aarch64"));
        AbiFacts.all().forEach((name, struct) -> {
            assertTrue(isMutexExtra(struct.size()), name);
            struct.fields().forEach((field, offset) -> assertTrue(isMutexExtra(offset), name + "." + field));
        });
    }

    private static boolean isMutexExtra(Offset offset) {
        int more = offset.aarch64() - offset.amd64();
        return more == 0 || more == 8;
    }

    /// Release 65 appended a field to what release 44 has; everything else is the same.
    @Test
    void shouldKnowTheLargerPortAttributesOfNewerReleases() {
        assertEquals(52, AbiFacts.struct("ibv_port_attr").size().amd64());
        assertEquals(56, AbiFacts.struct("ibv_port_attr").sizeOf65());
        assertEquals(56, PortAttr.SIZE);
    }
}
