package io.verbena.soft.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.roce.header.Bth;
import io.verbena.roce.packet.Opcode;
import io.verbena.soft.device.SimulatedEnvironment;
import io.verbena.soft.device.SoftDevice;
import io.verbena.soft.net.SimulatedNetwork;
import io.verbena.soft.net.Wire;
import io.verbena.soft.option.SoftOptions;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.soft.rig.LoopbackPair;
import io.verbena.verbs.Context;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.Mtu;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A fault while sending one queue pair's acknowledgement affects only that queue pair.
class AcknowledgementFaultTest {
    private static final InetAddress LEFT = InetAddress.ofLiteral("10.0.0.1");
    private static final InetAddress RIGHT = InetAddress.ofLiteral("10.0.0.2");

    private final SimulatedNetwork network = new SimulatedNetwork(1);
    /// Acknowledgements to this queue pair break the wire.
    private int unlucky;

    private final class Ground extends SimulatedEnvironment {
        Ground() {
            super(network, new Random(1));
        }

        @Override
        public Wire openWire(InetAddress local, SoftOptions options) {
            Wire wire = super.openWire(local, options);
            return (Wire) Proxy.newProxyInstance(
                    Wire.class.getClassLoader(), new Class<?>[] {Wire.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("commit") && isUnlucky(wire, (int) arguments[0])) {
                            throw new IllegalStateException("no acknowledgement for you (this test means it)");
                        }
                        try {
                            return method.invoke(wire, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private boolean isUnlucky(Wire wire, int at) {
            return Bth.opcode(wire.sendMemory(), at) == Opcode.RC_ACKNOWLEDGE.code()
                    && Bth.destinationQp(wire.sendMemory(), at) == unlucky;
        }
    }

    @Test
    void shouldEndOnlyTheQueuePairWhoseAcknowledgementFails() {
        Context left = new SoftDevice(LEFT, new Ground()).open();
        Context right = new SoftDevice(RIGHT, new Ground()).open();
        ConnectionEnd[] senders = {new ConnectionEnd(left, LEFT, 64), new ConnectionEnd(left, LEFT, 64)};
        ConnectionEnd[] receivers = {new ConnectionEnd(right, RIGHT, 64), new ConnectionEnd(right, RIGHT, 64)};
        for (int i = 0; i < 2; i++) {
            LoopbackPair.connect(senders[i], receivers[i], Mtu.MTU_256);
        }
        unlucky = senders[0].qp.number();
        for (ConnectionEnd sender : senders) {
            sender.write(1, 0, 8, 0);
        }
        network.run(Duration.ofMillis(1));
        assertEquals(List.of(), senders[0].statuses());
        assertEquals(List.of(CompletionStatus.SUCCESS), senders[1].statuses());
        assertEquals(QueuePairState.ERR, receivers[0].qp.state());
        assertEquals(QueuePairState.RTS, receivers[1].qp.state());
        assertEquals(1, receivers[0].counter(Counter.ENGINE_FAULTS));
        left.closeAll();
        right.closeAll();
    }
}
