package io.verbena.soft.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.verbs.attr.Mtu;

/// A client and a server on two hosts, for tests.
final class CmPair {
    final TestWorld world = new TestWorld(1);
    final TestWorld.Node clientNode;
    final TestWorld.Node serverNode;
    final TestEnd.Listener listener;
    final TestEnd client = new TestEnd();

    CmPair() {
        this(Mtu.MTU_4096, Mtu.MTU_4096);
    }

    CmPair(Mtu clientMtu, Mtu serverMtu) {
        clientNode = world.node(1, clientMtu);
        serverNode = world.node(2, serverMtu);
        listener = TestEnd.Listener.on(serverNode);
    }

    TestEnd server() {
        return listener.only();
    }

    void runMs(long ms) {
        world.run(ms * TestWorld.MS);
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
        for (TestWorld.Node node : world.nodes) {
            assertTrue(
                    node.agent.tables().isEmpty(),
                    "tables of node " + node.facts().gid());
            assertTrue(node.agent.isIdle());
            assertEquals(0, node.timers().size());
        }
    }
}
