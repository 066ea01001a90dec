package io.verbena.conformance.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.conformance.Contract;
import io.verbena.conformance.Rule;
import io.verbena.conformance.bench.Bytes;
import io.verbena.conformance.bench.LinkOptions;
import io.verbena.conformance.bench.QueuePairLink;
import io.verbena.conformance.bench.RefusedCall;
import io.verbena.verbs.Errno;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.attr.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Bytes that travel inside the request.
public abstract class InlineContract extends Contract {
    private static final LinkOptions OPTIONS = LinkOptions.DEFAULT.capabilities(16, 16, 4, 64);

    protected InlineContract() {}

    @Test
    @Rule("POST-8")
    void shouldCopyInlineBytesWhilePosting() {
        QueuePairLink link = link(OPTIONS.rnr(1, 7));
        MemoryRegion source = left().memory(64);
        MemoryRegion target = right().memory(256);
        // The peer has no receive yet, so the messages wait in the queue while their buffer is used again.
        for (int i = 0; i < 4; i++) {
            Bytes.put(source, 0, Bytes.pattern(i, 64));
            link.left().post(link.left().request(i).send().from(source, 0, 64).inline());
        }
        source.memory().fill((byte) 0);
        for (int i = 0; i < 4; i++) {
            link.right().receive(i, target, 64L * i, 64);
        }
        for (int i = 0; i < 4; i++) {
            link.left().sent(i);
            link.right().received(i);
            Bytes.assertAt(target, 64L * i, Bytes.pattern(i, 64));
        }
    }

    @Test
    @Rule("POST-8")
    void shouldTakeInlineBytesFromMemoryThatIsNotRegistered() {
        QueuePairLink link = link(OPTIONS);
        MemoryRegion target = right().memory(64);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment plain = arena.allocate(64);
            byte[] pattern = Bytes.pattern(6, 64);
            MemorySegment.copy(pattern, 0, plain, ValueLayout.JAVA_BYTE, 0, 64);
            link.left().post(link.left().request(1).write(target.remote()).fromInline(plain));
            plain.fill((byte) 0);
            link.left().sent(1);
            Bytes.assertAt(target, 0, pattern);
        }
    }

    @Test
    @Rule("POST-8")
    void shouldTakeInlineBytesFromTheHeap() {
        QueuePairLink link = link(OPTIONS);
        MemoryRegion target = right().memory(64);
        byte[] pattern = Bytes.pattern(7, 64);
        byte[] heap = pattern.clone();
        link.left().post(link.left().request(1).write(target.remote()).fromInline(MemorySegment.ofArray(heap)));
        Arrays.fill(heap, (byte) 0);
        link.left().sent(1);
        Bytes.assertAt(target, 0, pattern);
    }

    @Test
    @Rule({"POST-4", "POST-8"})
    void shouldRefuseMoreInlineBytesThanTheCapability() {
        QueuePairLink link = link(OPTIONS);
        int most = link.left().qp().capabilities().maxInlineBytes();
        MemoryRegion source = left().memory(most + 1L);
        MemoryRegion target = right().memory(most + 1L);
        link.left()
                .post(link.left()
                        .request(1)
                        .write(target.remote())
                        .from(source, 0, most)
                        .inline());
        link.left().sent(1);
        RefusedCall.with(
                Errno.EINVAL,
                most + 1 + " inline bytes",
                () -> link.left()
                        .qp()
                        .post(link.left()
                                .request(2)
                                .write(target.remote())
                                .from(source, 0, most + 1L)
                                .inline()));
        assertEquals(QueuePairState.RTS, link.left().state());
    }

    @Test
    @Rule("POST-11")
    void shouldRefuseInlineRead() {
        QueuePairLink link = link(OPTIONS);
        MemoryRegion local = left().memory(64);
        MemoryRegion remote = right().memory(64);
        RefusedCall.with(
                Errno.EINVAL,
                "an inline READ",
                () -> link.left()
                        .qp()
                        .post(link.left()
                                .request(1)
                                .read(remote.remote())
                                .into(local, 0, 8)
                                .inline()));
        link.left().expectNoCompletion();
    }
}
