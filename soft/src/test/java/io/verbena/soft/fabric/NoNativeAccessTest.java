package io.verbena.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.fault.FaultPlan;
import io.verbena.soft.os.CLibrary;
import io.verbena.soft.rig.SimulatedEcho;
import io.verbena.verbs.Context;
import io.verbena.verbs.ProtectionDomain;
import io.verbena.verbs.QueuePairOptions;
import io.verbena.verbs.attr.Access;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A simulated network does not leave the JVM, so it needs no native access and prints no warning.
class NoNativeAccessTest {
    /// The program for a JVM without native access, on the class path.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (Context context =
                            new SimulatedFabric(1).host("10.0.0.1").device().open();
                    ProtectionDomain pd = context.allocateProtectionDomain();
                    var cq = context.createCompletionQueue(4);
                    var qp = pd.createQueuePair(QueuePairOptions.rc(cq));
                    var memory = pd.allocate(64, Access.LOCAL_WRITE)) {
                qp.newSendRequest().send().from(memory, 0, 64);
            }
            SimulatedFabric network =
                    new SimulatedFabric(2).faults(FaultPlan.none().withLoss(0.1));
            SimulatedHost server = network.host("10.0.0.2");
            SimulatedThread serving = network.start("server", () -> SimulatedEcho.serve(server, 1));
            int answers = SimulatedEcho.ask(network.host("10.0.0.1"), server, 10);
            serving.join();
            System.out.println(CLibrary.accessOption() + " after " + answers + " answers");
        }
    }

    @Test
    void shouldNeedNoneAndNameTheOptionThatWouldGiveIt() throws Exception {
        String path = Stream.of(
                        System.getProperty("jdk.module.path"),
                        System.getProperty("java.class.path"),
                        Path.of("target", "test-classes").toString())
                .filter(part -> part != null && !part.isBlank())
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--illegal-native-access=deny",
                        "-cp",
                        path,
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals("--enable-native-access=ALL-UNNAMED after 10 answers", output.strip());
    }
}
