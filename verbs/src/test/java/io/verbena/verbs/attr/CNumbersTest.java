package io.verbena.verbs.attr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/// The numbers of `verbs.h`, in the order in which the Java constants are declared. Constants of C that have no
/// counterpart here are left out of the excerpts.
class CNumbersTest {
    @Test
    void shouldNumberPlainEnumsAsC() {
        same(NodeType.values(), NodeType::code, """
                        IBV_NODE_CA=1 IBV_NODE_SWITCH=2 IBV_NODE_ROUTER=3 IBV_NODE_RNIC=4 IBV_NODE_USNIC=5
                        IBV_NODE_USNIC_UDP=6 IBV_NODE_UNSPECIFIED=7 IBV_NODE_UNKNOWN=-1
                        """);
        same(TransportType.values(), TransportType::code, """
                        IBV_TRANSPORT_IB=0 IBV_TRANSPORT_IWARP=1 IBV_TRANSPORT_USNIC=2
                        IBV_TRANSPORT_USNIC_UDP=3 IBV_TRANSPORT_UNSPECIFIED=4 IBV_TRANSPORT_UNKNOWN=-1
                        """);
        same(AtomicCapability.values(), AtomicCapability::code, """
                        IBV_ATOMIC_NONE=0 IBV_ATOMIC_HCA=1 IBV_ATOMIC_GLOB=2
                        """);
        same(PortState.values(), PortState::code, """
                        IBV_PORT_NOP=0 IBV_PORT_DOWN=1 IBV_PORT_INIT=2 IBV_PORT_ARMED=3 IBV_PORT_ACTIVE=4
                        IBV_PORT_ACTIVE_DEFER=5
                        """);
        same(GidType.values(), GidType::code, """
                        IBV_GID_TYPE_IB=0 IBV_GID_TYPE_ROCE_V1=1 IBV_GID_TYPE_ROCE_V2=2
                        """);
        same(QueuePairType.values(), QueuePairType::code, """
                        IBV_QPT_RC=2 IBV_QPT_UC=3 IBV_QPT_UD=4
                        """);
        same(QueuePairState.values(), QueuePairState::code, """
                        IBV_QPS_RESET=0 IBV_QPS_INIT=1 IBV_QPS_RTR=2 IBV_QPS_RTS=3 IBV_QPS_SQD=4
                        IBV_QPS_SQE=5 IBV_QPS_ERR=6
                        """);
        same(MemoryWindowType.values(), MemoryWindowType::code, """
                        IBV_MW_TYPE_1=1 IBV_MW_TYPE_2=2
                        """);
        same(Mtu.values(), Mtu::code, """
                        IBV_MTU_256=1 IBV_MTU_512=2 IBV_MTU_1024=3 IBV_MTU_2048=4 IBV_MTU_4096=5
                        """);
    }

    @Test
    void shouldNumberRequestsAndOutcomesAsC() {
        same(CompletionOpcode.values(), CompletionOpcode::code, """
                        IBV_WC_SEND=0 IBV_WC_RDMA_WRITE=1 IBV_WC_RDMA_READ=2 IBV_WC_COMP_SWAP=3
                        IBV_WC_FETCH_ADD=4 IBV_WC_BIND_MW=5 IBV_WC_LOCAL_INV=6 IBV_WC_FLUSH=8
                        IBV_WC_ATOMIC_WRITE=9 IBV_WC_RECV=128 IBV_WC_RECV_RDMA_WITH_IMM=129
                        """);
        same(CompletionStatus.values(), CompletionStatus::code, """
                        IBV_WC_SUCCESS=0 IBV_WC_LOC_LEN_ERR=1 IBV_WC_LOC_QP_OP_ERR=2 IBV_WC_LOC_EEC_OP_ERR=3
                        IBV_WC_LOC_PROT_ERR=4 IBV_WC_WR_FLUSH_ERR=5 IBV_WC_MW_BIND_ERR=6
                        IBV_WC_BAD_RESP_ERR=7 IBV_WC_LOC_ACCESS_ERR=8 IBV_WC_REM_INV_REQ_ERR=9
                        IBV_WC_REM_ACCESS_ERR=10 IBV_WC_REM_OP_ERR=11 IBV_WC_RETRY_EXC_ERR=12
                        IBV_WC_RNR_RETRY_EXC_ERR=13 IBV_WC_LOC_RDD_VIOL_ERR=14 IBV_WC_REM_INV_RD_REQ_ERR=15
                        IBV_WC_REM_ABORT_ERR=16 IBV_WC_INV_EECN_ERR=17 IBV_WC_INV_EEC_STATE_ERR=18
                        IBV_WC_FATAL_ERR=19 IBV_WC_RESP_TIMEOUT_ERR=20 IBV_WC_GENERAL_ERR=21
                        IBV_WC_TM_ERR=22 IBV_WC_TM_RNDV_INCOMPLETE=23
                        """);
        same(Operation.values(), Operation::code, """
                        IBV_WR_RDMA_WRITE=0 IBV_WR_RDMA_WRITE_WITH_IMM=1 IBV_WR_SEND=2
                        IBV_WR_SEND_WITH_IMM=3 IBV_WR_RDMA_READ=4 IBV_WR_ATOMIC_CMP_AND_SWP=5
                        IBV_WR_ATOMIC_FETCH_AND_ADD=6 IBV_WR_LOCAL_INV=7 IBV_WR_BIND_MW=8
                        IBV_WR_SEND_WITH_INV=9 IBV_WR_FLUSH=14 IBV_WR_ATOMIC_WRITE=15
                        """);
        same(AsyncEventType.values(), AsyncEventType::code, """
                        IBV_EVENT_CQ_ERR=0 IBV_EVENT_QP_FATAL=1 IBV_EVENT_QP_REQ_ERR=2
                        IBV_EVENT_QP_ACCESS_ERR=3 IBV_EVENT_COMM_EST=4 IBV_EVENT_SQ_DRAINED=5
                        IBV_EVENT_PATH_MIG=6 IBV_EVENT_PATH_MIG_ERR=7 IBV_EVENT_DEVICE_FATAL=8
                        IBV_EVENT_PORT_ACTIVE=9 IBV_EVENT_PORT_ERR=10 IBV_EVENT_LID_CHANGE=11
                        IBV_EVENT_PKEY_CHANGE=12 IBV_EVENT_SM_CHANGE=13 IBV_EVENT_SRQ_ERR=14
                        IBV_EVENT_SRQ_LIMIT_REACHED=15 IBV_EVENT_QP_LAST_WQE_REACHED=16
                        IBV_EVENT_CLIENT_REREGISTER=17 IBV_EVENT_GID_CHANGE=18 IBV_EVENT_WQ_FATAL=19
                        IBV_EVENT_DEVICE_SPEED_CHANGE=20 UNKNOWN=-1
                        """);
        same(LinkLayer.values(), LinkLayer::code, """
                        IBV_LINK_LAYER_UNSPECIFIED=0 IBV_LINK_LAYER_INFINIBAND=1 IBV_LINK_LAYER_ETHERNET=2
                        """);
    }

    @Test
    void shouldNumberFlagsAsC() {
        same(Access.values(), Access::bit, """
                        IBV_ACCESS_LOCAL_WRITE=1 IBV_ACCESS_REMOTE_WRITE=2 IBV_ACCESS_REMOTE_READ=4
                        IBV_ACCESS_REMOTE_ATOMIC=8 IBV_ACCESS_MW_BIND=16 IBV_ACCESS_ZERO_BASED=32
                        IBV_ACCESS_ON_DEMAND=64 IBV_ACCESS_HUGETLB=128 IBV_ACCESS_FLUSH_GLOBAL=256
                        IBV_ACCESS_FLUSH_PERSISTENT=512 IBV_ACCESS_RELAXED_ORDERING=1048576
                        """);
        same(QueuePairAttribute.values(), QueuePairAttribute::bit, """
                        IBV_QP_STATE=1 IBV_QP_CUR_STATE=2 IBV_QP_EN_SQD_ASYNC_NOTIFY=4 IBV_QP_ACCESS_FLAGS=8
                        IBV_QP_PKEY_INDEX=16 IBV_QP_PORT=32 IBV_QP_QKEY=64 IBV_QP_AV=128 IBV_QP_PATH_MTU=256
                        IBV_QP_TIMEOUT=512 IBV_QP_RETRY_CNT=1024 IBV_QP_RNR_RETRY=2048 IBV_QP_RQ_PSN=4096
                        IBV_QP_MAX_QP_RD_ATOMIC=8192 IBV_QP_ALT_PATH=16384 IBV_QP_MIN_RNR_TIMER=32768
                        IBV_QP_SQ_PSN=65536 IBV_QP_MAX_DEST_RD_ATOMIC=131072 IBV_QP_PATH_MIG_STATE=262144
                        IBV_QP_CAP=524288 IBV_QP_DEST_QPN=1048576
                        """);
        same(DeviceCapability.values(), DeviceCapability::bit, """
                        IBV_DEVICE_RESIZE_MAX_WR=1 IBV_DEVICE_BAD_PKEY_CNTR=2 IBV_DEVICE_BAD_QKEY_CNTR=4
                        IBV_DEVICE_RAW_MULTI=8 IBV_DEVICE_AUTO_PATH_MIG=16 IBV_DEVICE_CHANGE_PHY_PORT=32
                        IBV_DEVICE_UD_AV_PORT_ENFORCE=64 IBV_DEVICE_CURR_QP_STATE_MOD=128
                        IBV_DEVICE_SHUTDOWN_PORT=256 IBV_DEVICE_INIT_TYPE=512
                        IBV_DEVICE_PORT_ACTIVE_EVENT=1024 IBV_DEVICE_SYS_IMAGE_GUID=2048
                        IBV_DEVICE_RC_RNR_NAK_GEN=4096 IBV_DEVICE_SRQ_RESIZE=8192
                        IBV_DEVICE_N_NOTIFY_CQ=16384 IBV_DEVICE_MEM_WINDOW=131072
                        IBV_DEVICE_UD_IP_CSUM=262144 IBV_DEVICE_XRC=1048576
                        IBV_DEVICE_MEM_MGT_EXTENSIONS=2097152 IBV_DEVICE_MEM_WINDOW_TYPE_2A=8388608
                        IBV_DEVICE_MEM_WINDOW_TYPE_2B=16777216 IBV_DEVICE_RC_IP_CSUM=33554432
                        IBV_DEVICE_RAW_IP_CSUM=67108864 IBV_DEVICE_MANAGED_FLOW_STEERING=536870912
                        IB_UVERBS_DEVICE_FLUSH_GLOBAL=274877906944
                        IB_UVERBS_DEVICE_FLUSH_PERSISTENT=549755813888
                        IB_UVERBS_DEVICE_ATOMIC_WRITE=1099511627776
                        """);
    }

    @Test
    void shouldNameOperationsAsC() {
        for (Operation operation : Operation.values()) {
            assertTrue(operation.cName().startsWith("IBV_WR_"), operation.cName());
        }
        assertEquals("IBV_WR_ATOMIC_CMP_AND_SWP", Operation.ofCode(5).cName());
    }

    @Test
    void shouldSpeakOfPortsAsC() {
        List<String> texts =
                Arrays.stream(PortState.values()).map(PortState::toString).toList();
        assertEquals(List.of("no state change (NOP)", "down", "init", "armed", "active", "active defer"), texts);
        assertEquals("PORT_ACTIVE", PortState.ACTIVE.deviceInfoText());
    }

    @Test
    void shouldAnswerNumbersItDoesNotKnow() {
        assertEquals(AsyncEventType.UNKNOWN, AsyncEventType.ofCode(99));
        assertEquals(AsyncEventType.UNKNOWN, AsyncEventType.ofCode(-1));
        assertEquals(NodeType.UNKNOWN, NodeType.ofCode(99));
        assertEquals(LinkLayer.UNSPECIFIED, LinkLayer.ofCode(99));
        assertEquals(CompletionStatus.GENERAL, CompletionStatus.ofCode(99));
        String message = assertThrows(IllegalArgumentException.class, () -> QueuePairState.ofCode(7))
                .getMessage();
        assertTrue(message.contains("ibv_qp_state"), message);
        assertThrows(IllegalArgumentException.class, () -> PortState.ofCode(6));
    }

    private static <E> void same(E[] constants, ToLongFunction<E> numberOf, String excerpt) {
        String[] lines = excerpt.strip().split("\\s+");
        assertEquals(lines.length, constants.length, () -> Arrays.toString(constants));
        for (int i = 0; i < lines.length; i++) {
            E constant = constants[i];
            String[] nameAndNumber = lines[i].split("=");
            assertEquals(
                    Long.parseLong(nameAndNumber[1]),
                    numberOf.applyAsLong(constant),
                    () -> constant + " against " + nameAndNumber[0]);
        }
    }
}
