package io.verbena.tools.view;

/// A request message in a capture.
final class PacketMessage {
    /// The packet with the lowest sequence number.
    final ViewEvent first;

    /// Its positions in the stream, as far as requests show them; responses to a READ take more.
    final long from;

    long to;
    boolean isEnded;
    RequestFlow flow = new RequestFlow(-1);
    ViewEvent acknowledged;

    PacketMessage(ViewEvent first, long from) {
        this.first = first;
        this.from = from;
        to = from;
    }

    void add(ViewEvent packet, long position) {
        to = position;
        isEnded |= packet.packet.opcode().endsMessage();
        flow.add(packet);
    }

    boolean mayHave(long position) {
        return position <= to || !isEnded || first.packet.isReadRequest();
    }

    boolean takesReceive() {
        String operation = first.operation;
        return operation.startsWith("SEND") || operation.equals("RDMA_WRITE_WITH_IMMEDIATE");
    }
}
