package io.verbena.conformance.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.attr.Access;
import io.verbena.verbs.attr.DeviceAttributes;
import io.verbena.verbs.attr.QueuePairAttributes;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import io.verbena.verbs.cm.ConnectionId;
import io.verbena.verbs.cm.ConnectionOption;
import io.verbena.verbs.cm.ConnectionParameters;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The parameters that the two sides exchange, and what they agree on.
public abstract class ConnectionParametersContract extends CmContract {
    private static final ConnectionParameters DEFAULT = ConnectionParameters.DEFAULT;

    protected ConnectionParametersContract() {}

    private static byte[] padded(byte[] data, int length) {
        return Arrays.copyOf(data, length);
    }

    @Test
    @Rule("CM-1")
    void shouldCarryPrivateDataZeroPadded() {
        for (int length : new int[] {0, 1, 55, 56}) {
            ConnectionId listener = listener(4);
            byte[] asked = Bytes.pattern(length, length);
            CmPeer client = resolved(listener).withQueuePair();
            client.id().connect(DEFAULT.withPrivateData(asked));
            CmEvent request = request(listener);
            assertArrayEquals(padded(asked, 56), request.privateData());
            CmPeer server = new CmPeer(right(), request.id()).withQueuePair();
            byte[] answer = Bytes.pattern(length + 1, Math.min(196, length * 4));
            server.id().accept(DEFAULT.withPrivateData(answer));
            assertArrayEquals(
                    padded(answer, 196), client.expect(CmEventType.ESTABLISHED).privateData());
            server.expect(CmEventType.ESTABLISHED);
        }
    }

    @Test
    @Rule("CM-1")
    void shouldCarryTheLongestAnswer() {
        byte[] answer = Bytes.pattern(9, 196);
        Attempt d = requested(listener(4), DEFAULT);
        d.server().id().accept(DEFAULT.withPrivateData(answer));
        assertArrayEquals(answer, d.client().expect(CmEventType.ESTABLISHED).privateData());
    }

    @Test
    @Rule("CM-1")
    void shouldRefusePrivateDataThatIsTooLong() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuePair();
        RefusedCall.with(
                Errno.EINVAL,
                "57 bytes with connect",
                () -> client.id().connect(DEFAULT.withPrivateData(new byte[57])));
        client.id().connect(DEFAULT.withPrivateData(new byte[56]));
        CmPeer server = new CmPeer(right(), request(listener).id()).withQueuePair();
        RefusedCall.with(
                Errno.EINVAL,
                "197 bytes with accept",
                () -> server.id().accept(DEFAULT.withPrivateData(new byte[197])));
        RefusedCall.with(
                Errno.EINVAL, "149 bytes with reject", () -> server.id().reject(new byte[149]));
        server.id().accept(DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
    }

    @Test
    @Rule("CM-3")
    void shouldShowDepthsFromTheOtherSide() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener).withQueuePair();
        client.id().connect(DEFAULT.withReads(3, 2));
        CmEvent request = request(listener);
        assertEquals(2, request.parameters().responderResources(), "what the client wants to issue");
        assertEquals(3, request.parameters().initiatorDepth(), "what the client serves");
        CmPeer server = new CmPeer(right(), request.id()).withQueuePair();
        server.id().accept(DEFAULT.withReads(2, 1));
        CmEvent established = client.expect(CmEventType.ESTABLISHED);
        assertEquals(1, established.parameters().responderResources(), "what the server issues");
        assertEquals(2, established.parameters().initiatorDepth(), "what the server serves");
        server.expect(CmEventType.ESTABLISHED);
        QueuePairAttributes near = client.qp().query();
        QueuePairAttributes far = server.qp().query();
        assertTrue(near.maxReadAtomic() <= far.maxDestinationReadAtomic(), "reads of the client");
        assertTrue(far.maxReadAtomic() <= near.maxDestinationReadAtomic(), "reads of the server");
        assertEquals(2, near.maxReadAtomic());
        assertEquals(1, far.maxReadAtomic());
    }

    @Test
    @Rule("CM-4")
    void shouldTakeDeviceMaximumWhenAsked() {
        Attempt d = connected(
                DEFAULT.withReads(ConnectionParameters.DEVICE_MAXIMUM, ConnectionParameters.DEVICE_MAXIMUM),
                DEFAULT.withReads(ConnectionParameters.DEVICE_MAXIMUM, ConnectionParameters.DEVICE_MAXIMUM));
        int most = Math.min(
                d.client().id().context().attributes().maxReadAtomicAsInitiator(),
                d.server().id().context().attributes().maxReadAtomicAsResponder());
        assertEquals(most, d.client().qp().query().maxReadAtomic());
    }

    @Test
    @Rule("CM-4")
    void shouldRefuseMoreReadsThanTheDeviceHas() {
        CmPeer client = resolved(listener(4)).withQueuePair();
        DeviceAttributes device = client.id().context().attributes();
        int initiator = device.maxReadAtomicAsInitiator() + 1;
        int responder = device.maxReadAtomicAsResponder() + 1;
        assumeTrue(initiator < 255 && responder < 255, "the device's maximum is the largest number there is");
        RefusedCall.with(
                Errno.EINVAL, initiator + " reads", () -> client.id().connect(DEFAULT.withReads(1, initiator)));
        RefusedCall.with(
                Errno.EINVAL, responder + " reads", () -> client.id().connect(DEFAULT.withReads(responder, 1)));
    }

    @Test
    @Rule("CM-5")
    void shouldUseThePeersRnrCountAndClipRetries() {
        Attempt d = connected(DEFAULT.withRetries(9, 3), DEFAULT.withRetries(0, 5));
        assertEquals(7, d.client().qp().query().retryCount(), "clipped");
        assertEquals(5, d.client().qp().query().rnrRetry(), "as the server said");
        assertEquals(3, d.server().qp().query().rnrRetry(), "as the client said");
        assertEquals(7, d.server().qp().query().retryCount(), "accept ignores its own count");
    }

    @Test
    @Rule("CM-6")
    void shouldGrantReadsOnlyWhenServed() {
        Attempt none = connected(DEFAULT.withReads(0, 0), DEFAULT.withReads(0, 0));
        int closed = none.server().qp().query().access();
        assertTrue(Access.REMOTE_WRITE.in(closed), "writes always");
        assertFalse(Access.REMOTE_READ.in(closed), "no reads");
        Attempt some = connected(DEFAULT.withReads(1, 1), DEFAULT.withReads(1, 1));
        int open = some.server().qp().query().access();
        assertTrue(Access.REMOTE_WRITE.in(open), "writes always");
        assertTrue(Access.REMOTE_READ.in(open), "reads");
    }

    @Test
    @Rule("CM-22")
    void shouldUseTimersSetAsOptions() {
        ConnectionId listener = listener(4);
        CmPeer client = resolved(listener);
        client.id().option(ConnectionOption.ACK_TIMEOUT, 11);
        client.id().option(ConnectionOption.MIN_RNR_TIMER, 9);
        client.id().option(ConnectionOption.TYPE_OF_SERVICE, 4);
        client.withQueuePair();
        client.id().connect(DEFAULT);
        CmPeer server = new CmPeer(right(), request(listener).id());
        server.withQueuePair();
        server.id().accept(DEFAULT);
        client.expect(CmEventType.ESTABLISHED);
        server.expect(CmEventType.ESTABLISHED);
        assertEquals(11, client.qp().query().timeout());
        assertEquals(9, client.qp().query().minRnrTimer());
    }

    @Test
    @Rule("CM-22")
    void shouldRefuseOptionValuesOutOfRange() {
        CmPeer client = resolved(listener(4));
        RefusedCall.with(Errno.EINVAL, "timeout 32", () -> client.id().option(ConnectionOption.ACK_TIMEOUT, 32));
        RefusedCall.with(Errno.EINVAL, "timer 32", () -> client.id().option(ConnectionOption.MIN_RNR_TIMER, 32));
        RefusedCall.with(Errno.EINVAL, "service 256", () -> client.id().option(ConnectionOption.TYPE_OF_SERVICE, 256));
    }
}
