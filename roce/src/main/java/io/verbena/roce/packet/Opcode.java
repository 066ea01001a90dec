package io.verbena.roce.packet;

import static io.verbena.roce.packet.Header.AETH;
import static io.verbena.roce.packet.Header.ATOMICACKETH;
import static io.verbena.roce.packet.Header.ATOMICETH;
import static io.verbena.roce.packet.Header.BTH;
import static io.verbena.roce.packet.Header.DETH;
import static io.verbena.roce.packet.Header.FETH;
import static io.verbena.roce.packet.Header.IETH;
import static io.verbena.roce.packet.Header.IMMDT;
import static io.verbena.roce.packet.Header.RETH;
import static io.verbena.roce.packet.Header.XRCETH;
import static io.verbena.roce.packet.Opcode.Trait.COMPLETES;
import static io.verbena.roce.packet.Opcode.Trait.ENDS;
import static io.verbena.roce.packet.Opcode.Trait.REQUEST;
import static io.verbena.roce.packet.Opcode.Trait.RESPONSE;
import static io.verbena.roce.packet.Opcode.Trait.STARTS;
import static io.verbena.roce.packet.Opcode.Trait.TAKES;
import static io.verbena.roce.packet.PayloadRule.EIGHT;
import static io.verbena.roce.packet.PayloadRule.EXACTLY_MTU;
import static io.verbena.roce.packet.PayloadRule.NONE;
import static io.verbena.roce.packet.PayloadRule.ONE_TO_MTU;
import static io.verbena.roce.packet.PayloadRule.SIXTEEN;
import static io.verbena.roce.packet.PayloadRule.UP_TO_MTU;

import java.util.Arrays;

/// One row per opcode: its payload rule, its part in a message and the headers behind the BTH.
///
/// Parsing, building, checking and printing all read this table. An opcode without a row is dropped before any
/// arithmetic is done on its packet.
public enum Opcode {
    RC_SEND_FIRST(0x00, EXACTLY_MTU, REQUEST | STARTS | TAKES),
    RC_SEND_MIDDLE(0x01, EXACTLY_MTU, REQUEST),
    RC_SEND_LAST(0x02, ONE_TO_MTU, REQUEST | ENDS | COMPLETES),
    RC_SEND_LAST_WITH_IMMEDIATE(0x03, ONE_TO_MTU, REQUEST | ENDS | COMPLETES, IMMDT),
    RC_SEND_ONLY(0x04, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES),
    RC_SEND_ONLY_WITH_IMMEDIATE(0x05, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, IMMDT),
    RC_RDMA_WRITE_FIRST(0x06, EXACTLY_MTU, REQUEST | STARTS, RETH),
    RC_RDMA_WRITE_MIDDLE(0x07, EXACTLY_MTU, REQUEST),
    RC_RDMA_WRITE_LAST(0x08, ONE_TO_MTU, REQUEST | ENDS),
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x09, ONE_TO_MTU, REQUEST | ENDS | TAKES | COMPLETES, IMMDT),
    RC_RDMA_WRITE_ONLY(0x0A, UP_TO_MTU, REQUEST | STARTS | ENDS, RETH),
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x0B, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, RETH, IMMDT),
    RC_RDMA_READ_REQUEST(0x0C, NONE, REQUEST | STARTS | ENDS, RETH),
    RC_RDMA_READ_RESPONSE_FIRST(0x0D, EXACTLY_MTU, RESPONSE, AETH),
    RC_RDMA_READ_RESPONSE_MIDDLE(0x0E, EXACTLY_MTU, RESPONSE),
    RC_RDMA_READ_RESPONSE_LAST(0x0F, ONE_TO_MTU, RESPONSE, AETH),
    RC_RDMA_READ_RESPONSE_ONLY(0x10, UP_TO_MTU, RESPONSE, AETH),
    RC_ACKNOWLEDGE(0x11, NONE, RESPONSE, AETH),
    RC_ATOMIC_ACKNOWLEDGE(0x12, NONE, RESPONSE, AETH, ATOMICACKETH),
    RC_COMPARE_SWAP(0x13, NONE, REQUEST | STARTS | ENDS, ATOMICETH),
    RC_FETCH_ADD(0x14, NONE, REQUEST | STARTS | ENDS, ATOMICETH),
    RC_SEND_LAST_WITH_INVALIDATE(0x16, ONE_TO_MTU, REQUEST | ENDS | COMPLETES, IETH),
    RC_SEND_ONLY_WITH_INVALIDATE(0x17, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, IETH),
    RC_FLUSH(0x1C, NONE, REQUEST | STARTS | ENDS, FETH, RETH),
    RC_ATOMIC_WRITE(0x1D, EIGHT, REQUEST | STARTS | ENDS, RETH),

    UC_SEND_FIRST(0x20, EXACTLY_MTU, REQUEST | STARTS | TAKES),
    UC_SEND_MIDDLE(0x21, EXACTLY_MTU, REQUEST),
    UC_SEND_LAST(0x22, ONE_TO_MTU, REQUEST | ENDS | COMPLETES),
    UC_SEND_LAST_WITH_IMMEDIATE(0x23, ONE_TO_MTU, REQUEST | ENDS | COMPLETES, IMMDT),
    UC_SEND_ONLY(0x24, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES),
    UC_SEND_ONLY_WITH_IMMEDIATE(0x25, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, IMMDT),
    UC_RDMA_WRITE_FIRST(0x26, EXACTLY_MTU, REQUEST | STARTS, RETH),
    UC_RDMA_WRITE_MIDDLE(0x27, EXACTLY_MTU, REQUEST),
    UC_RDMA_WRITE_LAST(0x28, ONE_TO_MTU, REQUEST | ENDS),
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0x29, ONE_TO_MTU, REQUEST | ENDS | TAKES | COMPLETES, IMMDT),
    UC_RDMA_WRITE_ONLY(0x2A, UP_TO_MTU, REQUEST | STARTS | ENDS, RETH),
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(0x2B, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, RETH, IMMDT),

    UD_SEND_ONLY(0x64, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, DETH),
    UD_SEND_ONLY_WITH_IMMEDIATE(0x65, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, DETH, IMMDT),

    /// Congestion notification: outside the PSN stream, never acknowledged.
    CNP(0x81, SIXTEEN, 0),

    XRC_SEND_FIRST(0xA0, EXACTLY_MTU, REQUEST | STARTS | TAKES, XRCETH),
    XRC_SEND_MIDDLE(0xA1, EXACTLY_MTU, REQUEST, XRCETH),
    XRC_SEND_LAST(0xA2, ONE_TO_MTU, REQUEST | ENDS | COMPLETES, XRCETH),
    XRC_SEND_LAST_WITH_IMMEDIATE(0xA3, ONE_TO_MTU, REQUEST | ENDS | COMPLETES, XRCETH, IMMDT),
    XRC_SEND_ONLY(0xA4, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, XRCETH),
    XRC_SEND_ONLY_WITH_IMMEDIATE(0xA5, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, XRCETH, IMMDT),
    XRC_RDMA_WRITE_FIRST(0xA6, EXACTLY_MTU, REQUEST | STARTS, XRCETH, RETH),
    XRC_RDMA_WRITE_MIDDLE(0xA7, EXACTLY_MTU, REQUEST, XRCETH),
    XRC_RDMA_WRITE_LAST(0xA8, ONE_TO_MTU, REQUEST | ENDS, XRCETH),
    XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE(0xA9, ONE_TO_MTU, REQUEST | ENDS | TAKES | COMPLETES, XRCETH, IMMDT),
    XRC_RDMA_WRITE_ONLY(0xAA, UP_TO_MTU, REQUEST | STARTS | ENDS, XRCETH, RETH),
    XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE(
            0xAB, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, XRCETH, RETH, IMMDT),
    XRC_RDMA_READ_REQUEST(0xAC, NONE, REQUEST | STARTS | ENDS, XRCETH, RETH),
    XRC_RDMA_READ_RESPONSE_FIRST(0xAD, EXACTLY_MTU, RESPONSE, AETH),
    XRC_RDMA_READ_RESPONSE_MIDDLE(0xAE, EXACTLY_MTU, RESPONSE),
    XRC_RDMA_READ_RESPONSE_LAST(0xAF, ONE_TO_MTU, RESPONSE, AETH),
    XRC_RDMA_READ_RESPONSE_ONLY(0xB0, UP_TO_MTU, RESPONSE, AETH),
    XRC_ACKNOWLEDGE(0xB1, NONE, RESPONSE, AETH),
    XRC_ATOMIC_ACKNOWLEDGE(0xB2, NONE, RESPONSE, AETH, ATOMICACKETH),
    XRC_COMPARE_SWAP(0xB3, NONE, REQUEST | STARTS | ENDS, XRCETH, ATOMICETH),
    XRC_FETCH_ADD(0xB4, NONE, REQUEST | STARTS | ENDS, XRCETH, ATOMICETH),
    XRC_SEND_LAST_WITH_INVALIDATE(0xB6, ONE_TO_MTU, REQUEST | ENDS | COMPLETES, XRCETH, IETH),
    XRC_SEND_ONLY_WITH_INVALIDATE(0xB7, UP_TO_MTU, REQUEST | STARTS | ENDS | TAKES | COMPLETES, XRCETH, IETH),
    XRC_FLUSH(0xBC, NONE, REQUEST | STARTS | ENDS, XRCETH, FETH, RETH),
    XRC_ATOMIC_WRITE(0xBD, EIGHT, REQUEST | STARTS | ENDS, XRCETH, RETH);

    private static final Opcode[] BY_CODE = new Opcode[256];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;
    private final Transport transport;
    private final PayloadRule payloadRule;
    private final boolean request;
    private final boolean response;
    private final boolean startsMessage;
    private final boolean endsMessage;
    private final boolean takesReceive;
    private final boolean completesReceive;
    private final boolean immediate;
    private final boolean send;
    private final boolean write;
    private final boolean readResponse;
    private final int headerBytes;
    private final byte[] offsets = new byte[Header.values().length];

    Opcode(int code, PayloadRule payloadRule, int traits, Header... extended) {
        this.code = code;
        this.payloadRule = payloadRule;
        transport = transportOf(code);
        request = (traits & REQUEST) != 0;
        response = (traits & RESPONSE) != 0;
        startsMessage = (traits & STARTS) != 0;
        endsMessage = (traits & ENDS) != 0;
        takesReceive = (traits & TAKES) != 0;
        completesReceive = (traits & COMPLETES) != 0;
        Arrays.fill(offsets, (byte) -1);
        offsets[BTH.ordinal()] = 0;
        int end = BTH.bytes();
        for (Header header : extended) {
            offsets[header.ordinal()] = (byte) end;
            end += header.bytes();
        }
        headerBytes = end;
        immediate = has(IMMDT);
        send = name().contains("_SEND_");
        write = name().contains("_RDMA_WRITE_");
        readResponse = name().contains("_RDMA_READ_RESPONSE_");
    }

    /// The row of a BTH opcode byte, or null when there is none.
    public static Opcode of(int code) {
        return BY_CODE[code & 0xFF];
    }

    /// The number of this opcode on the wire.
    public int code() {
        return code;
    }

    /// The transport service that it belongs to.
    public Transport transport() {
        return transport;
    }

    /// How many payload bytes its packets may have.
    public PayloadRule payloadRule() {
        return payloadRule;
    }

    /// Whether its packets travel from requester to responder.
    public boolean isRequest() {
        return request;
    }

    /// Whether its packets travel from responder to requester.
    public boolean isResponse() {
        return response;
    }

    /// The first or only packet of a request message.
    public boolean startsMessage() {
        return startsMessage;
    }

    /// The last or only packet of a request message.
    public boolean endsMessage() {
        return endsMessage;
    }

    /// A receive request is consumed when this packet arrives.
    public boolean takesReceive() {
        return takesReceive;
    }

    /// A receive completion is generated when this packet has been executed.
    public boolean completesReceive() {
        return completesReceive;
    }

    /// Whether its packets carry immediate data.
    public boolean hasImmediate() {
        return immediate;
    }

    /// Whether it is part of a SEND.
    public boolean isSend() {
        return send;
    }

    /// An RDMA write; an atomic write is not one of them.
    public boolean isWrite() {
        return write;
    }

    /// Whether it is part of the answer to a READ.
    public boolean isReadResponse() {
        return readResponse;
    }

    /// Whether its packets have that header behind the BTH.
    public boolean has(Header header) {
        return offsets[header.ordinal()] >= 0;
    }

    /// Bytes of the BTH and the extended headers: where the payload starts.
    public int headerBytes() {
        return headerBytes;
    }

    /// Where a header starts, counted from the BTH, or -1 when this opcode does not carry it.
    public int offsetOf(Header header) {
        return offsets[header.ordinal()];
    }

    private static Transport transportOf(int code) {
        for (Transport transport : Transport.values()) {
            if (transport.base() == (code & 0xE0)) {
                return transport;
            }
        }
        throw new AssertionError("opcode 0x%02x has no transport".formatted(code));
    }

    /// The letters R, A, S, E, W and C of the opcode table.
    static final class Trait {
        static final int REQUEST = 1;
        static final int RESPONSE = 2;
        static final int STARTS = 4;
        static final int ENDS = 8;
        static final int TAKES = 16;
        static final int COMPLETES = 32;

        private Trait() {}
    }
}
