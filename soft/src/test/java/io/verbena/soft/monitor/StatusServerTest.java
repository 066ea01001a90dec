package io.verbena.soft.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.option.SoftProperties;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.StatusDirectory;
import io.verbena.soft.status.StatusExamples;
import io.verbena.soft.status.StatusSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// A process tells its status to programs of its user, and to nobody else.
@EnabledOnOs(OS.LINUX)
class StatusServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(60);
    /// No system has so many processes.
    private static final long NO_PID = 4_999_999_999L;

    @TempDir
    private Path temporary;

    private StatusDirectory directory;

    @BeforeEach
    void chooseDirectory() {
        System.setProperty(
                SoftProperties.STATUS_DIRECTORY, temporary.resolve("status").toString());
        directory = StatusDirectory.ofUser();
        System.clearProperty(SoftProperties.STATUS_DIRECTORY);
    }

    @AfterEach
    void forgetDirectory() {
        System.clearProperty(SoftProperties.STATUS_DIRECTORY);
    }

    private void start(ProcessStatus status) {
        new StatusServer(() -> directory, () -> status, NanoClock.SYSTEM).start();
    }

    private StatusSocket awaitSocket() throws Exception {
        long end = System.nanoTime() + LONGEST_NS;
        while (true) {
            List<StatusSocket> sockets = directory.sockets();
            if (!sockets.isEmpty()) {
                return sockets.getFirst();
            }
            assertTrue(System.nanoTime() < end, "no socket");
            Thread.sleep(5);
        }
    }

    /// Between making its socket and listening there is a moment.
    private static ProcessStatus read(StatusSocket socket) throws Exception {
        long end = System.nanoTime() + LONGEST_NS;
        while (true) {
            try {
                return socket.read(PATIENCE, System::nanoTime);
            } catch (ConnectException e) {
                assertTrue(System.nanoTime() < end, "nobody listens");
                Thread.sleep(5);
            }
        }
    }

    @Test
    void shouldTellItsStatusAgainAndAgain() throws Exception {
        ProcessStatus status = StatusExamples.process(10_000);
        start(status);
        StatusSocket socket = awaitSocket();
        assertEquals(ProcessHandle.current().pid(), socket.pid());
        for (int i = 0; i < 3; i++) {
            assertEquals(status, read(socket));
        }
    }

    @Test
    void shouldLetNobodyElseIn() throws Exception {
        start(StatusExamples.process(1));
        awaitSocket();
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve("status"))));
    }

    @Test
    void shouldNotUseADirectoryThatOthersMayEnter() throws Exception {
        Path open = Files.createDirectory(temporary.resolve("status"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        IOException e = assertThrows(IOException.class, directory::create);
        assertTrue(e.getMessage().contains("chmod 700"), e.getMessage());
        assertThrows(IOException.class, directory::sockets);
    }

    @Test
    void shouldNotFollowALinkToADirectory() throws Exception {
        Path elsewhere = Files.createDirectory(
                temporary.resolve("elsewhere"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(temporary.resolve("status"), elsewhere);
        IOException e = assertThrows(IOException.class, directory::create);
        assertTrue(e.getMessage().contains("is not a directory"), e.getMessage());
    }

    @Test
    void shouldAcceptAgainAfterAFailure() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (SocketChannel accepted = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertEquals(
                    accepted,
                    StatusServer.accept(
                            () -> {
                                if (calls.incrementAndGet() < 3) {
                                    throw new IOException("Too many open files");
                                }
                                return accepted;
                            },
                            Duration.ZERO));
        }
        StatusServer.Acceptor closed = () -> {
            throw new ClosedChannelException();
        };
        assertThrows(ClosedChannelException.class, () -> StatusServer.accept(closed, Duration.ZERO));
    }

    @Test
    void shouldSayWhyThereCanBeNoDirectory() {
        for (String[] named : new String[][] {
            {"missing/status", "is not a directory; make it"}, {"x".repeat(90), "sockets need a path of at most 89"}
        }) {
            System.setProperty(
                    SoftProperties.STATUS_DIRECTORY, temporary.resolve(named[0]).toString());
            StatusDirectory other = StatusDirectory.ofUser();
            for (Executable call : List.<Executable>of(other::check, other::create, other::sockets)) {
                IOException e = assertThrows(IOException.class, call);
                assertTrue(e.getMessage().contains(named[1]), e.getMessage());
            }
        }
    }

    @Test
    void shouldServeFromADirectoryWithTheLongestPath() throws Exception {
        String begin = temporary + "/";
        System.setProperty(SoftProperties.STATUS_DIRECTORY, begin + "x".repeat(89 - begin.length()));
        directory = StatusDirectory.ofUser();
        directory.create();
        StatusSocket longest = directory.newSocket(1_000_000, 1);
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(longest.path()));
            assertEquals(List.of(longest), directory.sockets());
        }
    }

    @Test
    void shouldFindNothingWhereNoProcessWas() throws Exception {
        assertEquals(List.of(), directory.sockets());
    }

    @Test
    void shouldServeOthersWhileAReaderDoesNotRead() throws Exception {
        ProcessStatus status = StatusExamples.process(50_000); // more than the kernel keeps for a reader
        start(status);
        StatusSocket socket = awaitSocket();
        read(socket);
        try (SocketChannel lazy = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            lazy.connect(UnixDomainSocketAddress.of(socket.path()));
            assertEquals(status, read(socket));
        }
    }

    @Test
    void shouldGiveUpOnAProcessThatDoesNotAnswer() throws Exception {
        directory.create();
        StatusSocket socket = directory.newSocket(ProcessHandle.current().pid(), 7);
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket.path()));
            IOException e = assertThrows(IOException.class, () -> socket.read(Duration.ofMillis(50), System::nanoTime));
            assertEquals("it does not answer", e.getMessage());
        }
    }

    @Test
    void shouldRemoveTheSocketsOfDeadProcessesOnly() throws Exception {
        directory.create();
        StatusSocket dead = directory.newSocket(NO_PID, 1);
        StatusSocket starting = directory.newSocket(ProcessHandle.current().pid(), 2);
        for (StatusSocket socket : List.of(dead, starting)) {
            try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                listener.bind(UnixDomainSocketAddress.of(socket.path()));
            }
        }
        // of another container: its process has a number that is not known here, but it listens
        StatusSocket elsewhere = directory.newSocket(NO_PID, 3);
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(elsewhere.path()));
            assertTrue(dead.removeIfDead());
            assertFalse(starting.removeIfDead());
            assertFalse(elsewhere.removeIfDead());
        }
        assertFalse(Files.exists(dead.path()));
        assertTrue(Files.exists(starting.path()));
        assertTrue(Files.exists(elsewhere.path()));
        // this process began long after: it has the number of another one
        Files.setLastModifiedTime(starting.path(), FileTime.fromMillis(0));
        assertTrue(starting.removeIfDead());
        assertFalse(starting.removeIfDead(), "it is gone");
    }
}
