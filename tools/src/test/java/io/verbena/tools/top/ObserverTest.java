package io.verbena.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.verbena.soft.status.StatusDirectory;
import io.verbena.soft.status.StatusSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Processes that do not answer as they should.
@EnabledOnOs(OS.LINUX)
class ObserverTest {
    private static final String PROPERTY = "verbena.soft.status.directory";
    /// No system has so many processes.
    private static final long NO_PID = 4_999_999_999L;

    @TempDir
    private Path folder;

    private StatusDirectory directory;

    @BeforeEach
    void makeDirectory() throws Exception {
        System.setProperty(PROPERTY, folder.resolve("status").toString());
        directory = StatusDirectory.ofUser();
        directory.create();
    }

    @AfterEach
    void forgetDirectory() {
        System.clearProperty(PROPERTY);
    }

    private static ServerSocketChannel listen(StatusSocket socket) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return listener.bind(UnixDomainSocketAddress.of(socket.path()));
    }

    private List<Answer> look(Observer.Reader reader) {
        try (Observer observer = new Observer(directory, reader)) {
            return observer.look();
        }
    }

    @Test
    void shouldShowTheOthersWhenOneAnswerCannotBeRead() throws Exception {
        StatusSocket bad = directory.newSocket(ProcessHandle.current().pid(), 1);
        StatusSocket good = directory.newSocket(ProcessHandle.current().pid(), 2);
        try (var _ = listen(bad);
                var _ = listen(good)) {
            List<Answer> answers = look(socket -> {
                if (socket.equals(bad)) {
                    throw new IllegalArgumentException("strange");
                }
                return new MadeUpProcess(socket.pid()).answer().status();
            });
            assertEquals(2, answers.size());
            for (Answer answer : answers) {
                boolean isBad = answer.socket().equals(bad);
                assertEquals(isBad ? "its answer cannot be read: strange" : "", answer.problem());
                assertEquals(isBad, answer.status() == null);
            }
        }
    }

    @Test
    void shouldShowAStoppedProcessOfAnotherContainer() throws Exception {
        StatusSocket stopped = directory.newSocket(NO_PID, 1);
        try (var _ = listen(stopped)) {
            List<Answer> answers = look(_ -> {
                throw new IOException("it does not answer");
            });
            assertEquals("it does not answer", answers.getFirst().problem());
            assertNull(answers.getFirst().status());
        }
    }

    @Test
    void shouldForgetAProcessThatWasKilled() throws Exception {
        StatusSocket dead = directory.newSocket(NO_PID, 1);
        listen(dead).close();
        assertEquals(List.of(), look(_ -> {
            throw new ConnectException("Connection refused");
        }));
        assertFalse(Files.exists(dead.path()));
    }
}
