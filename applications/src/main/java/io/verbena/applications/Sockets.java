package io.verbena.applications;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How Verbena's sockets are switched on, and what they tell when the program ends.
public final class Sockets {
    private static final Pattern REPORT =
            Pattern.compile("verbena-sockets: RDMA (\\d+) connections, (\\d+) bytes read, (\\d+) written");

    private static final String REPORT_OPTION = "-Dverbena.sockets.report=true";
    private static final String JARS = "applications.sockets";

    private Sockets() {}

    /// The jars of sockets and of a device, for programs that name the provider by a property.
    static String jars() {
        return System.getProperty(JARS, "");
    }

    /// One option, as users give it, and the request for a report.
    static List<String> agentOptions() {
        Path agent = Libraries.folder()
                .resolve("../../sockets-agent/target/verbena-sockets.jar")
                .normalize();
        if (!Files.exists(agent)) {
            throw new IllegalStateException("there is no " + agent + "; build it: ./verbena build -Dslow");
        }
        return List.of("-javaagent:" + agent, REPORT_OPTION);
    }

    static List<String> propertyOptions(String provider) {
        return List.of(
                REPORT_OPTION,
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Djava.nio.channels.spi.SelectorProvider=" + provider);
    }

    /// The bytes that a program has read and written by RDMA, as its last report among the lines says; 0 without a
    /// report.
    public static long rdmaBytes(List<String> lines) {
        long bytes = 0;
        for (String line : lines) {
            Matcher report = REPORT.matcher(line);
            if (report.find()) {
                bytes = Long.parseLong(report.group(2)) + Long.parseLong(report.group(3));
            }
        }
        return bytes;
    }
}
