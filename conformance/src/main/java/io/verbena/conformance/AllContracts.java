package io.verbena.conformance;

import io.verbena.conformance.connection.ConnectionContract;
import io.verbena.conformance.connection.ConnectionParametersContract;
import io.verbena.conformance.connection.DatagramServiceContract;
import io.verbena.conformance.connection.DisconnectContract;
import io.verbena.conformance.connection.EndpointContract;
import io.verbena.conformance.connection.ExternalQueuePairContract;
import io.verbena.conformance.connection.IdleConnectionContract;
import io.verbena.conformance.connection.Ipv6Contract;
import io.verbena.conformance.connection.ListenContract;
import io.verbena.conformance.connection.MigrateContract;
import io.verbena.conformance.connection.MulticastJoinContract;
import io.verbena.conformance.connection.OwnQueuesContract;
import io.verbena.conformance.connection.SynchronousConnectionContract;
import io.verbena.conformance.queue.CloseContract;
import io.verbena.conformance.queue.CompletionContract;
import io.verbena.conformance.queue.CompletionQueueSizeContract;
import io.verbena.conformance.queue.DeviceContract;
import io.verbena.conformance.queue.InlineContract;
import io.verbena.conformance.queue.LimitsContract;
import io.verbena.conformance.queue.MemoryContract;
import io.verbena.conformance.queue.MemoryWindowContract;
import io.verbena.conformance.queue.MemoryWindowRulesContract;
import io.verbena.conformance.queue.NotificationContract;
import io.verbena.conformance.queue.PollerContract;
import io.verbena.conformance.queue.PostingContract;
import io.verbena.conformance.queue.QueuePairAttributesContract;
import io.verbena.conformance.queue.QueuePairStateContract;
import io.verbena.conformance.queue.RegistrationContract;
import io.verbena.conformance.queue.SendQueueDrainContract;
import io.verbena.conformance.queue.SharedReceiveQueueContract;
import io.verbena.conformance.queue.SharedReceiveQueueRulesContract;
import io.verbena.conformance.transfer.AllocationContract;
import io.verbena.conformance.transfer.AtomicContract;
import io.verbena.conformance.transfer.AtomicRulesContract;
import io.verbena.conformance.transfer.AtomicWriteContract;
import io.verbena.conformance.transfer.ConcurrencyContract;
import io.verbena.conformance.transfer.DatagramContract;
import io.verbena.conformance.transfer.DatagramRulesContract;
import io.verbena.conformance.transfer.ErrorMatrixContract;
import io.verbena.conformance.transfer.ErrorStatusContract;
import io.verbena.conformance.transfer.ErrorTableContract;
import io.verbena.conformance.transfer.FlushContract;
import io.verbena.conformance.transfer.LocalErrorContract;
import io.verbena.conformance.transfer.MessageSizeContract;
import io.verbena.conformance.transfer.MulticastContract;
import io.verbena.conformance.transfer.OrderingContract;
import io.verbena.conformance.transfer.RandomTrafficContract;
import io.verbena.conformance.transfer.ReliabilityContract;
import io.verbena.conformance.transfer.SendReceiveContract;
import io.verbena.conformance.transfer.UnreliableConnectionContract;
import io.verbena.conformance.transfer.UnreliableErrorContract;
import org.junit.jupiter.api.Nested;

/// Every contract. A runner extends it and says on which devices:
///
/// ```java
/// @RunOn(MyPairing.class)
/// class MyDeviceTest extends AllContracts {}
/// ```
///
/// The system property `verbena.contracts` limits a run to those it names: `Posting,Close`.
public abstract class AllContracts {
    protected AllContracts() {}

    @Nested
    class Close extends CloseContract {}

    @Nested
    class Completion extends CompletionContract {}

    @Nested
    class CompletionQueueSize extends CompletionQueueSizeContract {}

    @Nested
    class Device extends DeviceContract {}

    @Nested
    class Inline extends InlineContract {}

    @Nested
    class Limits extends LimitsContract {}

    @Nested
    class Memory extends MemoryContract {}

    @Nested
    class MemoryWindow extends MemoryWindowContract {}

    @Nested
    class MemoryWindowRules extends MemoryWindowRulesContract {}

    @Nested
    class Notification extends NotificationContract {}

    @Nested
    class Poller extends PollerContract {}

    @Nested
    class Posting extends PostingContract {}

    @Nested
    class QueuePairAttributes extends QueuePairAttributesContract {}

    @Nested
    class QueuePairState extends QueuePairStateContract {}

    @Nested
    class Registration extends RegistrationContract {}

    @Nested
    class SendQueueDrain extends SendQueueDrainContract {}

    @Nested
    class SharedReceiveQueue extends SharedReceiveQueueContract {}

    @Nested
    class SharedReceiveQueueRules extends SharedReceiveQueueRulesContract {}

    @Nested
    class Allocation extends AllocationContract {}

    @Nested
    class Atomic extends AtomicContract {}

    @Nested
    class AtomicRules extends AtomicRulesContract {}

    @Nested
    class AtomicWrite extends AtomicWriteContract {}

    @Nested
    class Concurrency extends ConcurrencyContract {}

    @Nested
    class Datagram extends DatagramContract {}

    @Nested
    class DatagramRules extends DatagramRulesContract {}

    @Nested
    class ErrorMatrix extends ErrorMatrixContract {}

    @Nested
    class ErrorStatus extends ErrorStatusContract {}

    @Nested
    class ErrorTable extends ErrorTableContract {}

    @Nested
    class Flush extends FlushContract {}

    @Nested
    class LocalError extends LocalErrorContract {}

    @Nested
    class MessageSize extends MessageSizeContract {}

    @Nested
    class Multicast extends MulticastContract {}

    @Nested
    class Ordering extends OrderingContract {}

    @Nested
    class RandomTraffic extends RandomTrafficContract {}

    @Nested
    class Reliability extends ReliabilityContract {}

    @Nested
    class SendReceive extends SendReceiveContract {}

    @Nested
    class UnreliableConnection extends UnreliableConnectionContract {}

    @Nested
    class UnreliableError extends UnreliableErrorContract {}

    @Nested
    class Connection extends ConnectionContract {}

    @Nested
    class ConnectionParameters extends ConnectionParametersContract {}

    @Nested
    class Disconnect extends DisconnectContract {}

    @Nested
    class IdleConnection extends IdleConnectionContract {}

    @Nested
    class DatagramService extends DatagramServiceContract {}

    @Nested
    class Endpoint extends EndpointContract {}

    @Nested
    class OwnQueues extends OwnQueuesContract {}

    @Nested
    class MulticastJoin extends MulticastJoinContract {}

    @Nested
    class ExternalQueuePair extends ExternalQueuePairContract {}

    @Nested
    class Migrate extends MigrateContract {}

    @Nested
    class Ipv6 extends Ipv6Contract {}

    @Nested
    class Listen extends ListenContract {}

    @Nested
    class SynchronousConnection extends SynchronousConnectionContract {}
}
