package io.verbena.rdmacore.cm;

import io.verbena.rdmacore.layout.RdmaCmEvent;
import io.verbena.rdmacore.layout.RdmaCmId;
import io.verbena.rdmacore.layout.RdmaConnParam;
import io.verbena.rdmacore.layout.RdmaUdParam;
import io.verbena.rdmacore.qp.AddressCodec;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionParameters;
import io.verbena.verbs.cm.DatagramPeer;
import io.verbena.verbs.cm.PortSpace;
import java.util.EnumSet;
import java.util.Set;

/// A copy of a `struct rdma_cm_event`.
///
/// @param id the address of the id it is for; of the new one for a request
/// @param listener the address of the listening id, else 0
/// @param join for a multicast event the number its join was given, else 0
record EventData(
        long id,
        long listener,
        CmEventType type,
        int status,
        ConnectionParameters parameters,
        DatagramPeer datagram,
        long join) {
    static final ConnectionParameters NO_PARAMETERS =
            new ConnectionParameters(new byte[0], 0, 0, false, 0, 0, 0, false);

    private static final Set<CmEventType> MULTICAST =
            EnumSet.of(CmEventType.MULTICAST_JOIN, CmEventType.MULTICAST_ERROR);

    /// Copies an event of librdmacm and acknowledges it, also when copying fails: otherwise destroying the id would
    /// wait for ever.
    static EventData take(long event) {
        try {
            return of(event, isDatagram(RdmaCmId.PS.get(RdmaCmEvent.ID.get(event))));
        } finally {
            Rdmacm.LIB.acknowledge(event);
        }
    }

    /// @param datagrams whether the parameters are those of a datagram service
    static EventData of(long event, boolean datagrams) {
        CmEventType type = CmEventType.ofCode(RdmaCmEvent.EVENT.get(event));
        long parameters = RdmaCmEvent.parameters(event);
        boolean multicast = MULTICAST.contains(type);
        return new EventData(
                RdmaCmEvent.ID.get(event),
                RdmaCmEvent.LISTEN_ID.get(event),
                type,
                RdmaCmEvent.STATUS.get(event),
                multicast ? NO_PARAMETERS : datagrams ? data(parameters) : RdmaConnParam.get(parameters),
                multicast || datagrams && type == CmEventType.ESTABLISHED ? peer(parameters) : null,
                multicast ? RdmaUdParam.PRIVATE_DATA.get(parameters) : 0);
    }

    private static boolean isDatagram(int portSpace) {
        return portSpace == PortSpace.UDP.code() || portSpace == PortSpace.IPOIB.code();
    }

    private static ConnectionParameters data(long parameters) {
        return NO_PARAMETERS
                .withPrivateData(RdmaUdParam.privateData(parameters))
                .withQpNumber(RdmaUdParam.QP_NUM.get(parameters));
    }

    private static DatagramPeer peer(long parameters) {
        return new DatagramPeer(
                AddressCodec.read(RdmaUdParam.address(parameters)),
                RdmaUdParam.QP_NUM.get(parameters),
                RdmaUdParam.QKEY.get(parameters));
    }
}
