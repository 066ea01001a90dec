package io.verbena.bench.ours;

import io.verbena.bench.side.Sample;
import io.verbena.report.measure.CpuTime;
import java.net.InetSocketAddress;
import java.util.List;

/// A [VerbsSide] that opens idle connections beside the measured one. Both sides get the same orders:
///
/// - `open COUNT`: opens that many; answers the nanoseconds it took
/// - `memory`: answers a [Sample]
/// - `rest MS`: sleeps that long; answers the CPU time of the process, in nanoseconds
/// - `shut`: closes all; answers the nanoseconds it took
final class ConnectionsSide extends VerbsSide {
    private IdleConnections idle;
    private InetSocketAddress server;

    ConnectionsSide(List<String> arguments) {
        super(arguments);
    }

    /// The address of the measured connection, and behind it the port for idle ones.
    @Override
    public String address() {
        String address = super.address();
        String host = address.substring(0, address.indexOf(' '));
        idle = new IdleConnections(manager());
        return address + " " + idle.listen(new InetSocketAddress(host, 0)).getPort();
    }

    @Override
    public void connect(String address) {
        super.connect(address);
        String[] words = address.split(" ");
        idle = new IdleConnections(manager());
        server = new InetSocketAddress(words[0], Integer.parseInt(words[2]));
    }

    @Override
    public String obey(String order, String argument) throws Exception {
        long start = System.nanoTime();
        switch (order) {
            case "open" -> {
                int count = Integer.parseInt(argument);
                if (server == null) {
                    idle.accept(count);
                } else {
                    idle.connect(server, count);
                }
                return Long.toString(System.nanoTime() - start);
            }
            case "shut" -> {
                if (server == null) {
                    idle.awaitDisconnects();
                } else {
                    idle.disconnectAll();
                }
                return Long.toString(System.nanoTime() - start);
            }
            case "memory" -> {
                return Sample.take().encode();
            }
            case "rest" -> {
                long cpuNs = CpuTime.ofThreadsNs();
                Thread.sleep(Long.parseLong(argument));
                return Long.toString(CpuTime.ofThreadsNs() - cpuNs);
            }
            default -> {
                return super.obey(order, argument);
            }
        }
    }

    @Override
    public void close() {
        if (idle != null) {
            idle.close();
        }
        super.close();
    }
}
