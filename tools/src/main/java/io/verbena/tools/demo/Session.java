package io.verbena.tools.demo;

import io.verbena.tools.demo.DemoPeer.Phase;
import io.verbena.tools.program.ProgramException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Two children, a server and a client, from their start to their end. When one fails, dies or is silent, both are
/// ended, and the error of [#run] names the step.
final class Session implements AutoCloseable {
    static final String SERVER = "server";
    static final String CLIENT = "client";

    private final List<Phase> phases;
    private final Place place;
    private final PeerOptions options;
    private final List<String> serverProperties;
    private final PrintWriter err;
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final List<ChildProcess> children = new CopyOnWriteArrayList<>(); // the exit hook reads it, too
    private final Thread onExit = new Thread(this::onExit, "end children");
    private volatile boolean ending;
    private String step = "start";

    /// `serverProperties` are `name=value`.
    Session(List<Phase> phases, Place place, PeerOptions options, List<String> serverProperties, PrintWriter err) {
        this.phases = phases;
        this.place = place;
        this.options = options;
        this.serverProperties = serverProperties;
        this.err = err;
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /// Runs both until they end; `listener` gets every report. Throws a [ProgramException] on any failure.
    void run(Consumer<Message> listener) throws IOException, InterruptedException {
        start(
                SERVER,
                Stream.concat(place.properties().stream(), serverProperties.stream())
                        .toList(),
                "--addresses=" + String.join(",", place.addresses()));
        ChildProcess client = start(CLIENT, place.properties(), options.argument());
        err.flush();
        Set<String> done = new HashSet<>();
        Set<String> exited = new HashSet<>();
        while (exited.size() < children.size()) {
            Message message = inbox.poll(Patience.NEWS.toMillis(), TimeUnit.MILLISECONDS);
            if (message == null) {
                throw new ProgramException("step '" + step + "' failed: no sign of life from client and server for "
                        + Patience.NEWS.toSeconds() + " s");
            }
            listener.accept(message);
            switch (message.kind()) {
                case LISTENING -> client.tell(message.text(0) + " " + message.text(1));
                case STEP -> step = message.from().equals(CLIENT) ? message.text(0) : step;
                case FAILED -> throw failure(message);
                case DONE -> done.add(message.from());
                case EXITED -> {
                    if (!done.contains(message.from())) {
                        throw died(message);
                    }
                    exited.add(message.from());
                }
                default -> {}
            }
        }
    }

    private ChildProcess start(String name, List<String> properties, String argument) throws IOException {
        String names =
                phases.stream().map(p -> p.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(","));
        List<String> command = new ArrayList<>(JvmCommand.build(properties));
        command.addAll(List.of("demo-peer", name, "--phases=" + names, "--provider=" + place.provider(), argument));
        ChildProcess child = ChildProcess.start(name, command, inbox, err);
        children.add(child);
        return child;
    }

    /// An error of one child is often only the consequence of the other's death: wait a moment for that.
    private ProgramException failure(Message failed) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        Message next;
        while ((next = inbox.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) != null) {
            if (next.kind() == Report.Kind.EXITED && !next.from().equals(failed.from()) && next.number(0) > 1) {
                return died(next);
            }
        }
        return new ProgramException("step '" + step + "' failed: " + failed.from() + ": " + failed.text(0));
    }

    private void onExit() {
        ending = true;
        children.forEach(ChildProcess::close);
    }

    private ProgramException died(Message exit) throws InterruptedException {
        Thread.sleep(50); // Ctrl-C also ends the children, often before this process
        while (ending) {
            Thread.sleep(50); // until the JVM ends: this is no failure
        }
        return new ProgramException("step '" + step + "' failed: the " + exit.from() + " process ended with code "
                + exit.text(0) + " before it was done");
    }

    @Override
    public void close() {
        children.forEach(ChildProcess::close);
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException alreadyEnding) {
            // the hook does the same
        }
    }
}
