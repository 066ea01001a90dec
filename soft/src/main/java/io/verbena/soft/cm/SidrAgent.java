package io.verbena.soft.cm;

import io.verbena.roce.mad.CmMessage;
import io.verbena.roce.mad.CmSidrRep;
import io.verbena.roce.mad.CmSidrReq;
import io.verbena.roce.mad.CmaHeader;
import io.verbena.roce.mad.PrivateData;
import io.verbena.roce.mad.SidrStatus;
import io.verbena.soft.engine.Counter;
import io.verbena.soft.event.SoftEvents;
import io.verbena.verbs.cm.ConnectionParameters;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// The datagram services of a device: those served here, and lookups of services elsewhere. Owned by the engine.
final class SidrAgent {
    /// A bound, so that a flood of requests does not use up memory.
    private static final int MOST_WAITING = 4096;

    private final CmPort port;
    private final RandomGenerator random;
    private final Runnable onChange;
    private final Map<Long, ServiceHandler> services = new HashMap<>();
    private final Map<Integer, SidrLookup> lookups = new HashMap<>();
    private final Map<RemoteKey, PendingSidrReply> answers = new HashMap<>();
    private final RecentAnswers given = new RecentAnswers();

    /// @param onChange called when a lookup or an answer came or went
    SidrAgent(CmPort port, RandomGenerator random, Runnable onChange) {
        this.port = port;
        this.random = random;
        this.onChange = onChange;
    }

    CmPort port() {
        return port;
    }

    boolean isEmpty() {
        return lookups.isEmpty() && answers.isEmpty();
    }

    /// False when another id serves it.
    boolean serve(long serviceId, ServiceHandler handler) {
        return services.putIfAbsent(serviceId, handler) == null;
    }

    /// False when it did not serve it.
    boolean stopServing(long serviceId, ServiceHandler handler) {
        return services.remove(serviceId, handler);
    }

    /// Gives a lookup a number that no other host is likely to use: Linux distinguishes lookups by nothing else.
    int add(SidrLookup lookup) {
        int number;
        do {
            number = port.numbers().nextCommunicationId(random);
        } while (number == 0 || lookups.containsKey(number));
        lookups.put(number, lookup);
        onChange.run();
        return number;
    }

    void forget(int requestId, SidrLookup lookup) {
        lookups.remove(requestId, lookup);
        onChange.run();
    }

    void forget(RemoteKey key, PendingSidrReply answer) {
        answers.remove(key, answer);
        onChange.run();
    }

    void remember(RemoteKey key, CmSidrRep rep) {
        given.add(key, rep, port.nowNs());
    }

    long randomTransactionId() {
        return random.nextLong();
    }

    void ignored() {
        port.counters().increment(Counter.CONNECTION_MESSAGES_IGNORED);
    }

    void onRep(CmSidrRep rep, long sourceHigh, long sourceLow) {
        SidrLookup lookup = lookups.get(rep.requestId());
        if (lookup == null) {
            ignored();
        } else {
            lookup.onRep(rep, sourceHigh, sourceLow);
        }
    }

    void onReq(CmSidrReq req, long sourceHigh, long sourceLow) {
        RemoteKey key = new RemoteKey(req.requestId(), 0, sourceHigh, sourceLow);
        if (answers.containsKey(key)) {
            ignored(); // the program has not answered yet
            return;
        }
        CmMessage answered = given.find(key, port.nowNs());
        if (answered != null) {
            port.send(answered, sourceHigh, sourceLow);
            return;
        }
        ServiceHandler service = services.get(req.serviceId());
        CmaHeader header = RequestCheck.header(req.privateData().toBytes());
        SidrStatus refusal = service == null
                ? SidrStatus.UNSUPPORTED
                : RequestCheck.isBetween(header, port.facts(), sourceHigh, sourceLow)
                                && RequestCheck.isDefaultPartition(req.partitionKey())
                        ? null
                        : SidrStatus.REJECTED;
        if (refusal != null) {
            port.counters().increment(Counter.CONNECTION_REQUESTS_REFUSED);
            report(key, "refused", refusal.name());
            port.send(refused(req, refusal), sourceHigh, sourceLow);
        } else {
            offer(service, req, header, key);
        }
    }

    private void offer(ServiceHandler service, CmSidrReq req, CmaHeader header, RemoteKey key) {
        PendingSidrReply answer = new PendingSidrReply(this, req, key);
        answers.put(key, answer);
        byte[] data = req.privateData().toBytes();
        ConnectionParameters seen =
                CmMessages.NO_PARAMETERS.withPrivateData(Arrays.copyOfRange(data, CmaHeader.BYTES, data.length));
        if (answers.size() > MOST_WAITING || !service.onRequest(answer, header, seen)) {
            port.counters().increment(Counter.CONNECTION_REQUESTS_DROPPED);
            report(key, "dropped", "too many lookups wait for the program");
            answer.drop();
        }
        onChange.run();
    }

    private void report(RemoteKey key, String decision, String reason) {
        SoftEvents.refused(
                port.facts().gid(), key.addressHigh(), key.addressLow(), "datagram service", decision, reason, 0);
    }

    private static CmSidrRep refused(CmSidrReq req, SidrStatus status) {
        return new CmSidrRep(req.transactionId(), req.requestId(), status, 0, req.serviceId(), 0, PrivateData.NONE);
    }
}
