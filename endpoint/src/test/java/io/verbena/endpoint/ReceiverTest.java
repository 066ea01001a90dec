package io.verbena.endpoint;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReceiverTest {
    private static final class Reader extends Waiter {
        @Override
        boolean isReady() {
            return false;
        }

        @Override
        void enlist() {}
    }

    /// A thread waits for ever, and another one looks now and then whether a message came.
    @Test
    void shouldForgetReadersThatGaveUpBehindOneThatStillWaits() {
        Receiver receiver = new Receiver(null, null);
        receiver.addReader(new Reader());
        for (int i = 0; i < 1_000; i++) {
            Reader reader = new Reader();
            receiver.addReader(reader);
            assertTrue(reader.cancel());
        }
        assertTrue(receiver.readers() < 100, () -> receiver.readers() + " readers, of which one waits");
    }
}
