package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.attr.Mtu;

/// A client and a server on two hosts, for tests.
final class CmPair {
    final SimulatedCmNetwork network = new SimulatedCmNetwork(1);
    final SimulatedCmNetwork.Node clientNode;
    final SimulatedCmNetwork.Node serverNode;
    final RecordingHandler.Listener listener;
    final RecordingHandler client = new RecordingHandler();

    CmPair() {
        this(Mtu.MTU_4096, Mtu.MTU_4096);
    }

    CmPair(Mtu clientMtu, Mtu serverMtu) {
        clientNode = network.node(1, clientMtu);
        serverNode = network.node(2, serverMtu);
        listener = RecordingHandler.Listener.on(serverNode);
    }

    RecordingHandler server() {
        return listener.only();
    }

    void runMs(long ms) {
        network.run(ms * SimulatedCmNetwork.MS);
    }

    /// The client asks and the server has its request.
    void request() {
        client.connect(clientNode, serverNode);
        runMs(1);
        assertEquals(CmState.REQ_RECEIVED, server().connection.state());
    }

    void establish() {
        request();
        server().accept();
        runMs(1);
        assertEquals(CmState.ESTABLISHED, client.connection.state());
        assertEquals(CmState.ESTABLISHED, server().connection.state());
    }

    void assertNothingLeft() {
        for (SimulatedCmNetwork.Node node : network.nodes) {
            assertTrue(
                    node.agent.tables().isEmpty(),
                    "tables of node " + node.facts().gid());
            assertTrue(node.agent.halfOpen().isEmpty());
            assertTrue(node.agent.isIdle());
            assertEquals(0, node.timers().size());
        }
    }
}
