package io.verbena.tools.trace;

import io.verbena.tools.trace.VerbRow.Show;
import io.verbena.tools.trace.VerbRow.When;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// The table of the C verb of each method of the API.
///
/// A row has, with two blanks or more between them: when a call is recorded ([When]), the methods of a type, the verb,
/// and the values that are shown, which [ShownValues] reads. A method stands with the type of its first parameter where
/// overloads are different verbs. A method that is neither here nor in [#QUIET] is forwarded and not recorded, and
/// fails a test.
final class VerbTable {
    private static final Map<String, VerbRow> ROWS = rows("""
            after   RdmaProvider.devices                      ibv_get_device_list         :devices
            after   RdmaProvider.device                       ibv_get_device_list         {0}  -> device
            after   Device.open                               ibv_open_device             :opened
            after   Context.attributes                        ibv_query_device            {}  :ports
            after   Context.port                              ibv_query_port              port=0  :port
            after   Context.gid                               ibv_query_gid               port=0  index=1  -> gid
            after   Context.gids                              ibv_query_gid_table         port=0  :rows
            after   Context.partitionKey                      ibv_query_pkey              port=0  index=1  :pkey
            after   Context.partitionKeyIndex                 ibv_get_pkey_index          port=0  :wanted  -> index
            before  Context.closeAll                          ibv_close_device            {}, after all that was made of it
            before  Context.close                             ibv_close_device            {}
            after   Context.allocateProtectionDomain          ibv_alloc_pd                -> pd
            before  ProtectionDomain.close                    ibv_dealloc_pd              {}

            after   ProtectionDomain.allocate|register        ibv_reg_mr                  {}  :region
            before  MemoryRegion.reregister                   ibv_rereg_mr                {}
            before  MemoryRegion.close                        ibv_dereg_mr                :lkey
            after   ProtectionDomain.allocateMemoryWindow     ibv_alloc_mw                {0}  -> mw
            before  MemoryWindow.bind                         ibv_bind_mw                 {} on {0}  wr_id=1  :bind
            before  MemoryWindow.close                        ibv_dealloc_mw              {}  :rkey
            after   ProtectionDomain.createAddressHandle      ibv_create_ah               {0}  -> ah
            after   ProtectionDomain.createAddressHandle(WorkCompletion)  ibv_create_ah_from_wc       :sender  -> ah
            before  AddressHandle.close                       ibv_destroy_ah              {}

            after   Context.createCompletionChannel           ibv_create_comp_channel     -> channel
            before  CompletionChannel.close                   ibv_destroy_comp_channel    {}
            found   CompletionChannel.await|tryTake           ibv_get_cq_event            :fired
            after   Context.createCompletionQueue             ibv_create_cq               :entries  -> cq
            once    CompletionQueue.arm                       ibv_req_notify_cq           :arm
            before  CompletionQueue.resize                    ibv_resize_cq               {}  entries=0
            before  CompletionQueue.close                     ibv_destroy_cq              {}
            found   AsyncEventChannel.await|tryTake           ibv_get_async_event         :async
            found   Poller.await                              poll                        :ready

            after   ProtectionDomain.createQueuePair          ibv_create_qp               {}  :made
            before  QueuePair.modify                          ibv_modify_qp               :qp  :change
            after   QueuePair.query                           ibv_query_qp                {}  :state
            before  QueuePair.attachMulticast                 ibv_attach_mcast            :qp  group {0}
            before  QueuePair.detachMulticast                 ibv_detach_mcast            :qp  group {0}
            before  QueuePair.close                           ibv_destroy_qp              :qp
            before  QueuePair.post(SendRequest)|postSends     ibv_post_send               {}
            before  QueuePair.post(ReceiveRequest)|postReceives  ibv_post_recv               {}

            after   ProtectionDomain.createSharedReceiveQueue  ibv_create_srq              {}  :most  -> srq
            before  SharedReceiveQueue.limit                  ibv_modify_srq              {}  srq_limit=0
            before  SharedReceiveQueue.resize                 ibv_modify_srq              {}  max_wr=0
            after   SharedReceiveQueue.query                  ibv_query_srq               {}
            before  SharedReceiveQueue.post|postReceives      ibv_post_srq_recv           {}
            before  SharedReceiveQueue.close                  ibv_destroy_srq             {}

            after   ConnectionManager.createEventChannel      rdma_create_event_channel   -> channel
            after   ConnectionManager.createId                rdma_create_id              {1}  events to {0}  -> id
            after   ConnectionManager.createSynchronousId     rdma_create_id              {0}  synchronous  -> id
            before  ConnectionManager.createEndpoint          rdma_create_ep              {0}  :endpoint
            before  EventChannel.close                        rdma_destroy_event_channel  {}
            before  ConnectionId.option                       rdma_set_option             :id  {0} {1}
            before  ConnectionId.bind                         rdma_bind_addr              :id  {0}
            before  ConnectionId.resolveAddress               rdma_resolve_addr           :id  :resolve
            before  ConnectionId.resolveRoute                 rdma_resolve_route          :id
            after   ConnectionId.createQueuePair              rdma_create_qp              :id  :domain  :made
            before  ConnectionId.migrate                      rdma_migrate_id             :id  to {0}
            after   ConnectionId.queuePairStep                rdma_init_qp_attr           :id  for {0}
            before  ConnectionId.joinMulticast                rdma_join_multicast         :id  {0}
            before  ConnectionId.leaveMulticast               rdma_leave_multicast        :id  {0}
            before  ConnectionId.listen                       rdma_listen                 :id  backlog=0
            before  ConnectionId.connect                      rdma_connect                :id  :connect
            before  ConnectionId.accept                       rdma_accept                 :id  :connect
            before  ConnectionId.reject                       rdma_reject                 :id  :reject
            before  ConnectionId.disconnect                   rdma_disconnect             :id
            before  ConnectionId.establish                    rdma_establish              :id
            before  ConnectionId.notifyEstablished            rdma_notify                 :id
            before  ConnectionId.close                        rdma_destroy_id             :id
            """);

    private static final Map<Method, Optional<VerbRow>> FOUND = new ConcurrentHashMap<>();

    /// Methods that are not recorded: getters, and those that are recorded otherwise: `poll` by its completions,
    /// `awaitRequest` by its event, requests when they are posted. `*` stands for all methods of a type.
    static final Set<String> QUIET = quiet("""
            RdmaProvider: name availability connectionManager
            Device: name provider guid nodeType transportType kernelName
            Context: device counters paths shards completionVectors asyncEvents
            ProtectionDomain: context
            MemoryRegion: protectionDomain memory address length lkey rkey access remote
            MemoryWindow: protectionDomain type rkey
            AddressHandle: protectionDomain address
            CompletionQueue: context channel capacity poll
            CompletionChannel: context
            SharedReceiveQueue: protectionDomain newReceiveRequest
            QueuePair: protectionDomain number type state capabilities sendCq receiveCq newSendRequest
            QueuePair: newReceiveRequest
            SendRequest: *
            ReceiveRequest: *
            Pollable: isReady newPoller unwrap
            Poller: add remove close
            ConnectionId: portSpace channel attachment context port protectionDomain queuePair localAddress
            ConnectionId: peerAddress timeout awaitRequest event
            EventChannel: await tryTake
            """);

    private VerbTable() {}

    private static Map<String, VerbRow> rows(String table) {
        Map<String, VerbRow> rows = new HashMap<>();
        table.lines().filter(line -> !line.isBlank()).forEach(line -> {
            List<String> columns = List.of(line.split(" {2,}"));
            When when = When.valueOf(columns.getFirst().toUpperCase(Locale.ROOT));
            Show show = ShownValues.of(columns.subList(3, columns.size()));
            String type = columns.get(1).substring(0, columns.get(1).indexOf('.') + 1);
            for (String method : columns.get(1).substring(type.length()).split("\\|")) {
                if (rows.put(type + method, new VerbRow(columns.get(2), when, show)) != null) {
                    throw new IllegalStateException("two rows for " + type + method);
                }
            }
        });
        return rows;
    }

    /// By `Type.method`, of lines with a type and its methods.
    private static Set<String> quiet(String lines) {
        return lines.lines()
                .flatMap(line -> {
                    String[] words = line.split(":? ");
                    return Arrays.stream(words).skip(1).map(method -> words[0] + "." + method);
                })
                .collect(Collectors.toUnmodifiableSet());
    }

    /// The row of a method, or null when it is not recorded.
    static VerbRow find(Method method) {
        return FOUND.computeIfAbsent(method, m -> Optional.ofNullable(findRow(m)))
                .orElse(null);
    }

    private static VerbRow findRow(Method method) {
        String name = name(method);
        if (method.getParameterCount() > 0) {
            VerbRow row = ROWS.get(name + "(" + method.getParameterTypes()[0].getSimpleName() + ")");
            if (row != null) {
                return row;
            }
        }
        return ROWS.get(name);
    }

    static boolean isQuiet(Method method) {
        return QUIET.contains(name(method))
                || QUIET.contains(method.getDeclaringClass().getSimpleName() + ".*");
    }

    private static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
