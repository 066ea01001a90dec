package io.verbena.soft.rig;

import io.verbena.soft.os.DescriptorCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// Runs a [ChildJvm] as another user.
public final class OtherUser {
    /// What comes before its command.
    public static final List<String> NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all");

    public static final int NOBODY_ID = 65534;

    private OtherUser() {}

    /// Skips the test where this process cannot.
    public static void require() throws IOException, InterruptedException {
        Assumptions.assumeTrue(DescriptorCalls.user() == 0, "only root can become somebody else");
        List<String> command = new ArrayList<>(NOBODY);
        command.addAll(List.of(
                "test",
                "-x",
                System.getProperty("java.home") + "/bin/java",
                "-a",
                "-r",
                "target/test-classes/io/verbena/soft/rig/OtherUser.class"));
        try {
            Process process = new ProcessBuilder(command).start();
            Assumptions.assumeTrue(
                    process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0,
                    "setpriv does not work, or others may not read Java or these classes");
        } catch (IOException e) {
            Assumptions.abort("needs setpriv: " + e.getMessage());
        }
    }
}
