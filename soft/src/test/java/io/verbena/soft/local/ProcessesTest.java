package io.verbena.soft.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.soft.OverSharedMemory;
import io.verbena.soft.device.SoftContext;
import io.verbena.soft.engine.Engine;
import io.verbena.soft.net.Loopback;
import io.verbena.soft.os.NanoClock;
import io.verbena.soft.rig.ChildJvm;
import io.verbena.verbs.WorkCompletion;
import io.verbena.verbs.attr.CompletionStatus;
import io.verbena.verbs.attr.QueuePairState;
import io.verbena.verbs.cm.CmEvent;
import io.verbena.verbs.cm.CmEventType;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes killed with SIGKILL leave nothing behind, and their peers are notified.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ProcessesTest implements OverSharedMemory {
    private static final int KILLED = 128 + 9;
    /// The end of a process is noticed after 0.1 s; the rest is for busy machines.
    private static final Duration SOON = Duration.ofSeconds(1);

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final long PAUSE_NS = 2_000_000;

    private final InetAddress here = Loopback.next();
    private final InetAddress there = Loopback.next();
    private final CmNeighbour survivor = new CmNeighbour();
    private Set<String> mappingsBefore;
    private List<Path> filesBefore;
    private ChildJvm child;

    @BeforeEach
    void count() throws IOException {
        mappingsBefore = Leftovers.mappings();
        filesBefore = Leftovers.files();
    }

    @AfterEach
    void close() {
        survivor.close();
        child.close();
    }

    private void connect(boolean activelyHere) throws IOException {
        if (activelyHere) {
            child = new ChildJvm(CmNeighbour.class, "listen", there.getHostAddress());
            int port = Integer.parseInt(child.line().substring("listening ".length()));
            survivor.connect(here, there, port);
        } else {
            int port = survivor.listen(here);
            child = new ChildJvm(
                    CmNeighbour.class,
                    "connect",
                    there.getHostAddress(),
                    here.getHostAddress(),
                    Integer.toString(port));
            survivor.accept();
        }
        assertEquals("connected", child.line());
        until("local", () -> Leftovers.mappingsSince(mappingsBefore) > 3);
        assertFalse(Leftovers.names(child.pid()).isEmpty(), "the test does not see names");
    }

    private static void until(String what, Callable<Boolean> ready) {
        long startNs = NanoClock.SYSTEM.nowNs();
        try {
            while (!ready.call()) {
                assertTrue(NanoClock.SYSTEM.nowNs() - startNs < LONG.toNanos(), what);
                LockSupport.parkNanos(PAUSE_NS);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHearOfTheDeathOfAPeerWhileItOnlyWaits(boolean activelyHere) throws Exception {
        connect(activelyHere);
        assertEquals(KILLED, child.kill());
        long killedNs = NanoClock.SYSTEM.nowNs();
        CmEvent event = survivor.channel.await(LONG);
        assertNotNull(event, "nobody told");
        long tookNs = NanoClock.SYSTEM.nowNs() - killedNs;
        assertEquals(CmEventType.DISCONNECTED, event.type());
        assertTrue(event.status() < 0, event::toString);
        assertTrue(tookNs < SOON.toNanos(), () -> "after " + tookNs + " ns");
        assertEquals(QueuePairState.ERR, survivor.qp.state());
        List<WorkCompletion> flushed = new ArrayList<>();
        survivor.cq.poll(completion -> flushed.add(completion.copy()), 16);
        assertEquals(3, flushed.size());
        assertTrue(flushed.stream().allMatch(c -> c.status() == CompletionStatus.WORK_REQUEST_FLUSHED));
        expectNoTraces();
    }

    /// No timer wakes the survivor then.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHearOfTheDeathOfAPeerAfterALongSilence(boolean activelyHere) throws Exception {
        connect(activelyHere);
        Engine engine = ((SoftContext) survivor.id.context()).engines().first();
        until("silent", () -> engine.untilNextDeadlineNs() > SILENCE.toNanos());
        assertEquals(KILLED, child.kill());
        long killedNs = NanoClock.SYSTEM.nowNs();
        CmEvent event = survivor.channel.await(LONG);
        assertNotNull(event, "nobody told");
        long tookNs = NanoClock.SYSTEM.nowNs() - killedNs;
        assertEquals(CmEventType.DISCONNECTED, event.type());
        assertTrue(tookNs < SOON.toNanos(), () -> "after " + tookNs + " ns");
        expectNoTraces();
    }

    /// The survivor waits at its completion channel, not for connection events.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldWakeWhoWaitsForReceivesOfADeadPeer(boolean activelyHere) throws Exception {
        connect(activelyHere);
        survivor.cq.arm();
        assertEquals(KILLED, child.kill());
        long killedNs = NanoClock.SYSTEM.nowNs();
        assertNotNull(survivor.cq.channel().await(LONG), "nobody woke it");
        long tookNs = NanoClock.SYSTEM.nowNs() - killedNs;
        assertTrue(tookNs < SOON.toNanos(), () -> "after " + tookNs + " ns");
        expectNoTraces();
    }

    /// Requests in flight fail, and receives are flushed.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailWhatIsUnderWayToADeadPeer(boolean activelyHere) throws Exception {
        connect(activelyHere);
        // More than it has receives for, so that some stay.
        for (int i = 0; i < 8; i++) {
            survivor.qp.post(survivor.qp
                    .newSendRequest()
                    .wrId(10 + i)
                    .send()
                    .from(survivor.memory, 0, 500)
                    .signaled());
        }
        assertEquals(KILLED, child.kill());
        assertEquals(CmEventType.DISCONNECTED, survivor.channel.await(LONG).type());
        List<WorkCompletion> done = new ArrayList<>();
        until("11 completions", () -> {
            survivor.cq.poll(completion -> done.add(completion.copy()), 16);
            return done.size() >= 11;
        });
        assertEquals(11, done.size());
        long failed = done.stream()
                .filter(c -> c.status() == CompletionStatus.RETRY_EXCEEDED)
                .count();
        assertEquals(1, failed, done::toString);
        expectNoTraces();
    }

    private void expectNoTraces() throws IOException {
        // This side has the pages of its device and its address, its own region, and nothing of the dead one's.
        until("its mappings stay", () -> Leftovers.mappingsSince(mappingsBefore) <= 3);
        assertEquals(List.of(), Leftovers.names(child.pid()));
        assertEquals(filesBefore, Leftovers.files());
    }
}
