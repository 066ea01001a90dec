package io.verbena.tools.top;

import io.verbena.soft.status.ProcessStatus;
import io.verbena.soft.status.StatusDirectory;
import io.verbena.soft.status.StatusSocket;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Asks all processes of this user for their status, at the same time: one that is stopped delays no other.
final class Observer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /// Asks a process for its status.
    interface Reader {
        ProcessStatus read(StatusSocket socket) throws IOException;
    }

    private final StatusDirectory directory;
    private final Reader reader;
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("top-", 1).factory());

    Observer(StatusDirectory directory) {
        this(directory, socket -> socket.read(PATIENCE, System::nanoTime));
    }

    Observer(StatusDirectory directory, Reader reader) {
        this.directory = directory;
        this.reader = reader;
    }

    List<Answer> look() {
        List<Future<Optional<Answer>>> asked = new ArrayList<>();
        for (StatusSocket socket : sockets()) {
            asked.add(threads.submit(() -> ask(socket)));
        }
        List<Answer> answers = new ArrayList<>();
        for (Future<Optional<Answer>> one : asked) {
            get(one).ifPresent(answers::add);
        }
        return answers;
    }

    private List<StatusSocket> sockets() {
        try {
            return directory.sockets();
        } catch (IOException e) {
            throw new ProgramException("cannot look for processes: " + e.getMessage(), e);
        }
    }

    /// Each has a deadline of its own.
    private static Optional<Answer> get(Future<Optional<Answer>> one) {
        try {
            return one.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProgramException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Nothing for a process that has ended, whose socket is removed.
    private Optional<Answer> ask(StatusSocket socket) {
        try {
            return Optional.of(new Answer(socket, reader.read(socket), ""));
        } catch (ConnectException e) {
            return unlessEnded(socket, "it does not answer");
        } catch (IOException e) {
            return unlessEnded(socket, text(e));
        } catch (RuntimeException e) {
            // The fault of this process, or of the code that reads its answer: the others are shown all the same.
            return Optional.of(new Answer(socket, null, "its answer cannot be read: " + text(e)));
        }
    }

    /// A process of another container may be there although its number is not known here.
    private static Optional<Answer> unlessEnded(StatusSocket socket, String problem) {
        return hasEnded(socket) ? Optional.empty() : Optional.of(new Answer(socket, null, problem));
    }

    private static boolean hasEnded(StatusSocket socket) {
        try {
            if (socket.removeIfDead()) {
                return true;
            }
        } catch (IOException e) {
            // Either the process has just removed it, or it cannot be removed; then it is shown with its problem.
        }
        return !Files.exists(socket.path(), LinkOption.NOFOLLOW_LINKS);
    }

    private static String text(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
