package io.verbena.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.applications.netty.Suite;
import io.verbena.applications.netty.SuiteResults;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A part of Netty's own tests of sockets, which takes seconds. `docs/sockets-applications.md` has the command for all
/// of them.
@Timeout(300)
class NettySuiteTest {
    private static final String[] CLASSES = {
        "CompositeBufferGatheringWriteTest",
        "DatagramUnicastInetTest",
        "SocketAutoReadTest",
        "SocketBufReleaseTest",
        "SocketCancelWriteTest",
        "SocketCloseForciblyTest",
        "SocketConditionalWritabilityTest",
        "SocketConnectTest",
        "SocketDataReadInitialStateTest",
        "SocketEchoTest",
        "SocketFileRegionTest",
        "SocketFixedLengthEchoTest",
        "SocketGatheringWriteTest",
        "SocketHalfClosedTest",
        "SocketMultipleConnectTest",
        "SocketObjectEchoTest",
        "SocketRstTest",
        "SocketShutdownOutputByPeerTest",
        "SocketShutdownOutputBySelfTest",
        "SocketStartTlsTest",
        "SocketStringEchoTest",
        "WriteBeforeRegisteredTest"
    };

    @Test
    void shouldPassNettysTestsThatPassOverTcp() throws Exception {
        List<SuiteResults> results = Stream.of(Transport.tcp(), Transport.rdma(), Transport.named("loss"))
                .map(NettySuiteTest::run)
                .toList();
        System.out.print(Suite.table(results));
        for (SuiteResults result : results.subList(1, results.size())) {
            assertEquals(List.of(), result.worseThan(results.getFirst()), "worse over " + result.transport());
        }
        assertTrue(
                results.getFirst().passed() > 50, "only " + results.getFirst().passed() + " tests passed over TCP");
    }

    private static SuiteResults run(Transport transport) {
        try {
            return Suite.run(transport, true, CLASSES);
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
