package io.verbena.tools.demo;

import io.verbena.tools.demo.DemoConnection.Purpose;
import io.verbena.tools.program.ProgramException;
import io.verbena.verbs.MemoryRegion;
import io.verbena.verbs.SendRequest;
import io.verbena.verbs.attr.Access;

/// Fills the server's memory with large RDMA WRITEs, several of them in flight, and has every byte compared there.
final class WriteStream implements AutoCloseable {
    private static final int IN_FLIGHT = 16;

    private final Link link;
    private final Report report;
    private final MemoryRegion source;
    private final long remoteAddress;
    private final int rkey;
    private final int writes;
    private final long writeBytes;
    private final SendRequest write;
    private long writtenBytes;

    WriteStream(Link link, PeerOptions options, long remoteAddress, int rkey, Report report) {
        this.link = link;
        this.report = report;
        this.remoteAddress = remoteAddress;
        this.rkey = rkey;
        this.writes = options.writesOfRound();
        this.writeBytes = options.writeBytes();
        this.source = link.qp().protectionDomain().allocate(options.bytesOfRound(), Access.LOCAL_WRITE);
        this.write = link.newRequest(Purpose.RDMA_WRITE).write(remoteAddress, rkey);
    }

    /// Writes all of the memory once, and returns how long that took, from the first post to the last completion.
    long run(long seed) {
        Pattern.fill(source.memory(), seed);
        long start = System.nanoTime();
        int posted = 0;
        for (int done = 0; done < writes; done++) {
            for (; posted < writes && posted - done < IN_FLIGHT; posted++) {
                long at = posted * writeBytes;
                link.post(write.remote(remoteAddress + at, rkey).from(source, at, writeBytes));
            }
            link.await(Purpose.RDMA_WRITE, "completion of an RDMA WRITE");
        }
        long tookNs = System.nanoTime() - start;
        writtenBytes += source.length();
        if (seed >= 0) {
            double rate = (double) source.length() / tookNs;
            report.event("%d RDMA WRITEs of %s, %.2f GB/s", writes, ResultTable.bytes(writeBytes), rate);
        }
        long wrong = link.ask(Command.VERIFY, source.length(), seed);
        if (wrong >= 0) {
            throw new ProgramException("the server found a wrong byte at " + wrong + " of " + source.length());
        }
        return tookNs;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    @Override
    public void close() {
        source.close();
    }
}
