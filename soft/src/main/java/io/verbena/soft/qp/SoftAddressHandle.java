package io.verbena.soft.qp;

import io.verbena.roce.header.Grh;
import io.verbena.soft.cq.QueueDevice;
import io.verbena.soft.engine.Destination;
import io.verbena.verbs.AddressHandle;
import io.verbena.verbs.Errno;
import io.verbena.verbs.RdmaException;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.Gid;
import java.lang.foreign.MemorySegment;

/// An address handle of the software device. Posting a datagram copies the destination, so the handle may be closed at
/// any time.
public final class SoftAddressHandle implements AddressHandle {
    private static final String CREATE = "create address handle";
    private static final String FROM_COMPLETION = "create address handle from completion";
    private static final int MAX_FLOW_LABEL = 0xF_FFFF;

    private final QueueDomain domain;
    private final AddressVector vector;
    private final Destination destination;
    private volatile boolean closed;

    private SoftAddressHandle(QueueDomain domain, AddressVector vector) {
        this.domain = domain;
        this.vector = vector;
        this.destination = Destination.of(vector);
    }

    /// Refuses addresses that this device cannot send to.
    public static SoftAddressHandle to(QueueDomain domain, AddressVector vector) {
        QueueDevice device = domain.context().device();
        String verb = CREATE + " to " + vector.destination();
        check(verb, vector, device.gid());
        device.addressHandles().take(verb);
        return new SoftAddressHandle(domain, vector);
    }

    static void check(String verb, AddressVector vector, Gid local) {
        require(verb, "port", vector.port(), 1, 1);
        require(verb, "sourceGidIndex", vector.sourceGidIndex(), 0, 0);
        require(verb, "trafficClass", vector.trafficClass(), 0, 255);
        require(verb, "hopLimit", vector.hopLimit(), 0, 255);
        require(verb, "flowLabel", vector.flowLabel(), 0, MAX_FLOW_LABEL);
        if (!vector.isGlobal()) {
            throw new RdmaException(verb, Errno.EINVAL, "RoCE needs a GID; make the vector with AddressVector.to");
        }
        if (vector.destination().isIpv4() != local.isIpv4()) {
            throw new RdmaException(
                    verb,
                    Errno.EINVAL,
                    "the peer's address " + vector.destination().address().getHostAddress() + " and the device's "
                            + local.address().getHostAddress()
                            + " are not both IPv4 or both IPv6; use a device of the peer's kind");
        }
    }

    private static void require(String verb, String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new RdmaException(verb, Errno.EINVAL, name + " is " + value + "; legal are " + least + " to " + most);
        }
    }

    /// The address of the sender of a datagram, whose GRH is in `area`.
    public static AddressVector vectorToSender(Gid local, WorkCompletion completion, MemorySegment area, int port) {
        require(FROM_COMPLETION, "port", port, 1, 1);
        if (area.byteSize() < Grh.BYTES) {
            throw new RdmaException(
                    FROM_COMPLETION,
                    Errno.EINVAL,
                    area.byteSize() + " bytes; the receive buffer's first " + Grh.BYTES + " are needed");
        }
        if (!completion.hasGrh()) {
            throw new RdmaException(FROM_COMPLETION, Errno.EINVAL, "the completion is not that of a datagram received");
        }
        Gid destination = new Gid(Grh.destinationHigh(area), Grh.destinationLow(area));
        if (!destination.equals(local) && !destination.address().isMulticastAddress()) {
            throw new RdmaException(
                    FROM_COMPLETION,
                    Errno.EINVAL,
                    "no GID of port " + port + " fits the datagram's destination " + destination);
        }
        Gid source = new Gid(Grh.sourceHigh(area), Grh.sourceLow(area));
        return new AddressVector(source, 0, port, Grh.trafficClass(area), Grh.hopLimit(area), Grh.flowLabel(area));
    }

    Destination destination() {
        return destination;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public QueueDomain protectionDomain() {
        return domain;
    }

    @Override
    public AddressVector address() {
        return vector;
    }

    /// A second caller waits for the first: after any close, the domain may be closed too.
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        domain.context().device().addressHandles().giveBack();
        domain.forget(this);
    }

    @Override
    public String toString() {
        return "address handle to " + vector.destination();
    }
}
