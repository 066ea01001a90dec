package io.verbena.soft.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.rig.End;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Acknowledgements that travel with the peer's messages.
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class CarriedAcknowledgementTest implements OverSharedMemory {
    private static final int CYCLES = 64;
    private static final int TOLD_EVERY = 16;

    private final SharedPair pair = OpenPair.open();
    private final End left = pair.left;
    private final End right = pair.right;

    @AfterEach
    void close() {
        pair.close();
    }

    private void whileBothAreHeld(Runnable task) {
        OpenPair.hold(right, () -> OpenPair.hold(left, task));
    }

    private void takeOnTheRight() {
        for (int i = 0; i < CYCLES && right.completions.isEmpty(); i++) {
            right.poll();
        }
        assertEquals(1, right.completions.size());
        assertTrue(OpenPair.lane(right).owes(), "the acknowledgement is still to be carried");
    }

    @Test
    void shouldCompleteASendWhileThePeerKeepsSending() {
        for (int i = 0; i < CYCLES; i++) {
            left.receive(i, 0, 8);
        }
        right.receive(9, 0, 8);
        whileBothAreHeld(() -> {
            left.send(77, 0, 8);
            takeOnTheRight();
            for (int cycle = 1; cycle <= CYCLES; cycle++) {
                right.post(right.qp.newSendRequest().send().from(right.memory, 0, 8));
                left.poll();
                if (isComplete()) {
                    return;
                }
                if (cycle % TOLD_EVERY == 0) {
                    right.poll();
                }
            }
        });
        assertTrue(isComplete(), () -> left.completions.size() + " messages came, but not the end of the own one");
    }

    private boolean isComplete() {
        return left.completions.stream().anyMatch(CarriedAcknowledgementTest::isOwnSend);
    }

    private static boolean isOwnSend(WorkCompletion completion) {
        return completion.opcode() == CompletionOpcode.SEND
                && completion.wrId() == 77
                && completion.status() == CompletionStatus.SUCCESS;
    }
}
