package io.verbena.soft.qp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fabric.SimulatedFabric;
import io.verbena.soft.rig.ConnectionEnd;
import io.verbena.verbs.BadRequestException;
import io.verbena.verbs.CompletionQueue;
import io.verbena.verbs.Context;
import io.verbena.verbs.QueuePair;
import io.verbena.verbs.QueuePairChange;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.ReceiveRequest;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.AddressVector;
import io.verbena.verbs.attr.QueuePairState;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One thread posts while another resets the queue pair: the reset drops all requests, even one that is being posted.
/// Afterwards the error state flushes any request that is left.
class PostWhileResettingTest {
    private static final int ROUNDS = 1_000;

    private final Context context =
            new SimulatedFabric(1).host("10.0.0.1").device().open();
    private final CompletionQueue completions = context.createCompletionQueue(256);
    private final QueuePair qp = context.allocateProtectionDomain()
            .createQueuePair(QueuePairOptions.rc(completions).sendRequests(64).receiveRequests(64));

    @AfterEach
    void close() {
        context.closeAll();
    }

    private void start() {
        ConnectionEnd.initialise(qp);
        AddressVector nobody = AddressVector.to(InetAddress.ofLiteral("10.0.0.9"));
        qp.modify(QueuePairChange.toRtr(nobody, 99, 0));
        qp.modify(QueuePairChange.toRts(0));
    }

    /// Posts until refused.
    private static Thread poster(BooleanSupplier post, CountDownLatch begun) {
        return Thread.ofPlatform().start(() -> {
            try {
                while (true) {
                    if (post.getAsBoolean()) {
                        begun.countDown();
                    } else {
                        Thread.yield();
                    }
                }
            } catch (BadRequestException reset) {
                // The end of it.
            }
        });
    }

    private void run(BooleanSupplier post) throws InterruptedException {
        start();
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch begun = new CountDownLatch(1);
            Thread poster = poster(post, begun);
            assertTrue(begun.await(30, TimeUnit.SECONDS));
            qp.modify(QueuePairChange.to(QueuePairState.RESET));
            assertTrue(poster.join(Duration.ofSeconds(30)));
            start();
            qp.modify(QueuePairChange.to(QueuePairState.ERR));
            assertEquals(0, completions.poll(completion -> {}, 256), "left over in round " + round);
            qp.modify(QueuePairChange.to(QueuePairState.RESET));
            start();
        }
    }

    @Test
    void shouldForgetSendsOfTheLifeBefore() throws InterruptedException {
        SendRequest send = qp.newSendRequest().send().empty();
        run(() -> qp.post(send));
    }

    @Test
    void shouldForgetReceivesOfTheLifeBefore() throws InterruptedException {
        ReceiveRequest receive = qp.newReceiveRequest().empty();
        run(() -> qp.post(receive));
    }
}
