package io.verbena.junit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.junit.LoopbackDevices;
import io.verbena.junit.RdmaTest;
import io.verbena.soft.fault.FaultPlan;
import io.verbena.verbs.Context;
import io.verbena.verbs.Rdma;
import io.verbena.verbs.cm.ConnectionManager;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Example: the same program on real devices, whose packets go through sockets of the system and meet faults there.
@RdmaTest
class LoopbackFaultsTest {
    @Test
    void shouldAnswerOverSocketsThatLosePackets(LoopbackDevices devices) throws Exception {
        ConnectionManager cm = Rdma.connectionManager();
        FaultPlan lossy = FaultPlan.none().withLoss(0.05).withReorder(0.05);
        // Ids at the address of a device that is open share its options, and so its faults.
        try (Context left = devices.open(lossy);
                Context right = devices.open(lossy)) {
            InetAddress server = devices.address(left);
            var serving = CompletableFuture.runAsync(() -> Exchange.serve(cm, server));
            try (var exchange = new Exchange.Client(cm, devices.address(right), server)) {
                for (int i = 0; i < 10; i++) {
                    assertEquals("re: question " + i, exchange.ask("question " + i));
                }
            }
            serving.get(60, TimeUnit.SECONDS);
        }
    }
}
