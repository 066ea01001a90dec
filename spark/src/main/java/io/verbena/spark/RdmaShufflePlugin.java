package io.verbena.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts what executors need for [RdmaShuffleManager], and tells them where others listen. Both are set together:
///
/// ```
/// spark.plugins          io.verbena.spark.RdmaShufflePlugin
/// spark.shuffle.manager  io.verbena.spark.RdmaShuffleManager
/// ```
public final class RdmaShufflePlugin implements SparkPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaShufflePlugin.class);

    /// The one of this process.
    private static volatile State state =
            new State(null, "spark.plugins does not name " + RdmaShufflePlugin.class.getName());

    /// @param node null when there is a reason to take Spark's own path
    record State(ExecutorNode node, String reason) {}

    /// What this executor has, or why it has nothing.
    static State state() {
        return state;
    }

    /// How many bytes the map outputs take up that this executor lets others read. For tasks.
    public static long usedBytes() {
        ExecutorNode node = state.node();
        return node == null ? 0 : node.counters().usedBytes.sum();
    }

    @Override
    public DriverPlugin driverPlugin() {
        return new Driver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new Executor();
    }

    private static final class Driver implements DriverPlugin {
        private final AddressBook addresses = new AddressBook();

        @Override
        public Map<String, String> init(SparkContext context, PluginContext plugin) {
            context.addSparkListener(new SparkListener() {
                @Override
                public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
                    addresses.remove(removed.executorId());
                }
            });
            return Map.of();
        }

        @Override
        public Object receive(Object message) {
            return addresses.answer(message);
        }
    }

    private static final class Executor implements ExecutorPlugin {
        private ExecutorNode node;

        @Override
        public void init(PluginContext context, Map<String, String> extraConf) {
            String reason = Settings.obstacle(context.conf());
            if (context.executorID().equals("driver")) {
                reason = "the driver runs the tasks itself, so all blocks are local";
            }
            if (reason == null) {
                try {
                    // The context's own name of the host is not there in an executor.
                    String host = SparkEnv.get().blockManager().blockManagerId().host();
                    node = new ExecutorNode(context.conf(), host, new Lookup(context));
                } catch (IOException | RuntimeException e) { // no device, or none with that address
                    reason = e.getMessage();
                    LOG.debug("RDMA cannot be used", e);
                }
            }
            AddressBook.Address address = node == null ? AddressBook.Address.none(reason) : node.address();
            if (node == null) {
                LOG.warn("All blocks are fetched in Spark's own way: {}", reason);
            } else {
                LOG.info("Map outputs can be read by RDMA at {} port {}", address.host(), address.port());
                register(context.metricRegistry(), node.counters());
            }
            state = new State(node, reason);
            tell(context, new AddressBook.Entry(context.executorID(), address));
        }

        private record Lookup(PluginContext context) implements AddressBook.Lookup {
            @Override
            public AddressBook.Address of(String executor) {
                return (AddressBook.Address) tell(context, new AddressBook.Question(executor));
            }

            @Override
            public List<String> others() {
                List<?> names = (List<?>) tell(context, new AddressBook.Everyone());
                return names.stream()
                        .map(String.class::cast)
                        .filter(name -> !name.equals(context.executorID()))
                        .toList();
            }
        }

        private static Object tell(PluginContext context, Object message) {
            try {
                return context.ask(message);
            } catch (Exception e) {
                if (e instanceof InterruptedException) { // not declared
                    Thread.currentThread().interrupt();
                }
                throw new IllegalStateException("the driver did not answer to " + message, e);
            }
        }

        private static void register(MetricRegistry metrics, Counters counters) {
            Map<String, LongAdder> all = Map.of(
                    "rdmaReadBytes", counters.readBytes,
                    "rdmaReadBlocks", counters.readBlocks,
                    "otherBlocks", counters.otherBlocks,
                    "copiedBytes", counters.copiedBytes,
                    "usedBytes", counters.usedBytes,
                    "registeredBytes", counters.registeredBytes,
                    "registrations", counters.registrations,
                    "refusedOutputs", counters.refusedOutputs);
            all.forEach((name, counter) -> metrics.register(name, (Gauge<Long>) counter::sum));
        }

        @Override
        public void shutdown() {
            if (node != null) {
                LOG.info("Shuffle by RDMA: {}", node.counters());
                node.close();
            }
        }
    }
}
