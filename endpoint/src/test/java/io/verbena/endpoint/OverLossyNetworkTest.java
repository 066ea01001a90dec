package io.verbena.endpoint;

import io.verbena.junit.Faults;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;

/// The simulated network with links that lose, double and reorder.
@Faults("loss=0.03,duplicate=0.03,reorder=0.03")
class OverLossyNetworkTest extends OverSimulatedNetworkTest {
    @BeforeEach
    void allowForPacketsThatAreSentAgain() {
        shortest = Duration.ofSeconds(10);
    }
}
