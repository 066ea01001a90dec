package io.verbena.soft.engine;

/// The counters of a device. The label is the name shown to people.
public enum Counter {
    PACKETS_SENT("packets sent"),
    PACKETS_RECEIVED("packets received"),
    BYTES_SENT("bytes sent"),
    BYTES_RECEIVED("bytes received"),
    DROPPED_TRUNCATED("dropped: shorter than its headers"),
    DROPPED_OVERSIZED("dropped: longer than any packet"),
    DROPPED_UNKNOWN_OPCODE("dropped: unknown opcode"),
    DROPPED_BAD_VERSION("dropped: transport version"),
    DROPPED_BAD_ICRC("dropped: ICRC"),
    DROPPED_BAD_PARTITION("dropped: partition key"),
    DROPPED_UNKNOWN_QP("dropped: no such queue pair"),
    DROPPED_WRONG_TRANSPORT("dropped: opcode of another transport"),
    DROPPED_WRONG_ADDRESS("dropped: not from the queue pair's peer"),
    DROPPED_WRONG_STATE("dropped: queue pair not ready"),
    DROPPED_WRONG_MESSAGE_NUMBER("dropped: acknowledgement with a wrong message number"),
    DROPPED_BAD_QKEY("dropped: queue key"),
    DROPPED_NO_RECEIVE("dropped: no receive posted"),
    DROPPED_RECEIVE_TOO_SHORT("dropped: longer than the receive"),
    DROPPED_BAD_LENGTH("dropped: length or pad"),
    DROPPED_NO_ACCESS("dropped: memory not open to the peer"),
    DROPPED_RECEIVE_PROTECTION("dropped: receive buffer not usable"),
    DROPPED_REST_OF_MESSAGE("dropped: rest of a broken message"),
    DROPPED_BAD_MAD("dropped: malformed management datagram"),
    DROPPED_CONGESTION_NOTICE("dropped: congestion notification"),
    DUPLICATE_REQUESTS("duplicate requests"),
    OUT_OF_SEQUENCE_REQUESTS("out of sequence requests"),
    SEQUENCE_NAKS_SENT("sequence NAKs sent"),
    SEQUENCE_NAKS_RECEIVED("sequence NAKs received"),
    RNR_NAKS_SENT("RNR NAKs sent"),
    RNR_NAKS_RECEIVED("RNR NAKs received"),
    ERROR_NAKS_SENT("error NAKs sent"),
    ERROR_NAKS_RECEIVED("error NAKs received"),
    ACKS_SENT("acknowledgements sent"),
    ACKS_RECEIVED("acknowledgements received"),
    STALE_RESPONSES("stale responses"),
    LOST_READ_RESPONSES("gaps in read responses"),
    ACK_TIMEOUTS("acknowledgement timeouts"),
    PACKETS_RETRANSMITTED("packets retransmitted"),
    RETRIES_EXCEEDED("retries exceeded"),
    KEEP_ALIVES_SENT("keep-alives sent"),
    DATAGRAMS_TOO_LONG("datagrams not sent: longer than the MTU"),
    COMPLETIONS_LOST("completions lost to a full queue"),
    CONNECTION_REQUESTS_REFUSED("connection requests refused"),
    CONNECTION_REQUESTS_DROPPED("connection requests dropped: too many wait"),
    CONNECTION_MESSAGES_IGNORED("connection messages ignored"),
    SHARED_MESSAGES("messages over shared memory"),
    DROPPED_LOCAL("dropped: packet of a connection over shared memory"),
    TIMERS_EXPIRED("timers that expired"),
    DEVICE_THREAD_CHECKS("checks by the device's thread"),
    DEVICE_THREAD_TAKEOVERS("takeovers by the device's thread"),
    SLEEPERS_WOKEN("times a sleeping thread was woken"),
    ENGINE_BUSY("times another thread ran the engine"),
    ENGINE_FAULTS("faults inside the engine");

    private final String label;

    Counter(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
