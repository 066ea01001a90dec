package io.verbena.soft.shard;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The classic BPF program by which the kernel chooses the socket of a packet. It sees the bytes behind the UDP header:
///
/// - Packets of queue pairs go to the shard in the upper bits of the destination's number.
/// - Messages of the connection manager go to the shard in the upper bits of the identifier that the receiver gave;
///   requests, which have none yet, to the shard that listens on their service id; other messages without one to the
///   default shard.
/// - What belongs to no shard that is held goes to the default shard, which counts it or refuses it. What is too short
///   to be read goes to shard 0, held or not.
final class SteeringProgram {
    /// What `net.core.optmem_max` of older systems (20 KiB) has room for: the kernel makes three instructions of each.
    static final int MOST_LISTENERS = 800;

    private static final int INSTRUCTION_BYTES = 8;

    // Where things are behind the UDP header: BTH, DETH, and the management datagram.
    private static final int DESTINATION_QP_AT = 4;
    private static final int ATTRIBUTE_AT = 36;
    private static final int REQUEST_ID_AT = 44;
    private static final int REMOTE_ID_AT = 48;
    private static final int SERVICE_ID_LOW_AT = 56;

    private static final int MANAGEMENT_QP = 1;
    private static final int REQ = 0x10;
    private static final int SIDR_REQ = 0x17;
    private static final int SIDR_REP = 0x18;

    /// In rejections by a peer that got no answer yet.
    private static final int NO_ID = 0;

    private static final int LOAD_WORD = 0x20;
    private static final int LOAD_HALF = 0x28;
    private static final int LOAD_CONSTANT = 0x00;
    private static final int LOAD_SCRATCH = 0x60;
    private static final int STORE_SCRATCH = 0x02;
    private static final int COPY_TO_X = 0x07;
    private static final int AND = 0x54;
    private static final int SUBTRACT = 0x14;
    private static final int SHIFT_RIGHT = 0x74;
    private static final int SHIFT_LEFT_BY_X = 0x6C;
    private static final int JUMP = 0x05;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_NOT_LESS = 0x35;
    private static final int RETURN = 0x06;
    private static final int RETURN_A = 0x16;

    /// The places that instructions jump to.
    private enum Label {
        MESSAGE,
        SIDR_REPLY,
        IDENTIFIER,
        SHARD,
        UPPER_HALF,
        HELD,
        DEFAULT,
        REQUEST
    }

    /// @param target null for instructions that do not jump
    private record Instruction(int operation, int operand, Label target) {}

    private final List<Instruction> code = new ArrayList<>();
    private final Map<Label, Integer> places = new EnumMap<>(Label.class);

    private SteeringProgram() {}

    /// The instructions, each a `struct sock_filter`.
    ///
    /// @param held a bit for each shard
    /// @param listeners those of the default shard are not needed
    static byte[] build(long held, int defaultShard, List<AddressPage.Listener> listeners) {
        SteeringProgram program = new SteeringProgram();
        program.addQueuePairs();
        program.addMessages();
        program.addShard(held);
        program.place(Label.DEFAULT);
        program.add(RETURN, defaultShard);
        program.addRequests(listeners, defaultShard);
        return program.assemble();
    }

    /// For one shard that gets everything, which is faster.
    static byte[] always(int shard) {
        SteeringProgram program = new SteeringProgram();
        program.add(RETURN, shard);
        return program.assemble();
    }

    private void addQueuePairs() {
        add(LOAD_WORD, DESTINATION_QP_AT);
        add(AND, 0xFF_FFFF);
        jump(JUMP_IF_EQUAL, MANAGEMENT_QP, Label.MESSAGE);
        add(SHIFT_RIGHT, ShardNumbers.QP_BITS);
        jump(JUMP, 0, Label.SHARD);
    }

    private void addMessages() {
        place(Label.MESSAGE);
        add(LOAD_HALF, ATTRIBUTE_AT);
        jump(JUMP_IF_EQUAL, REQ, Label.REQUEST);
        jump(JUMP_IF_EQUAL, SIDR_REQ, Label.REQUEST);
        jump(JUMP_IF_EQUAL, SIDR_REP, Label.SIDR_REPLY);
        add(LOAD_WORD, REMOTE_ID_AT);
        jump(JUMP_IF_EQUAL, NO_ID, Label.DEFAULT);
        jump(JUMP, 0, Label.IDENTIFIER);
        place(Label.SIDR_REPLY);
        add(LOAD_WORD, REQUEST_ID_AT);
        place(Label.IDENTIFIER);
        add(SHIFT_RIGHT, ShardNumbers.ID_BITS);
    }

    private void addShard(long held) {
        place(Label.SHARD);
        add(STORE_SCRATCH, 0);
        jump(JUMP_IF_NOT_LESS, Integer.SIZE, Label.UPPER_HALF);
        addBit((int) held);
        jump(JUMP, 0, Label.HELD);
        place(Label.UPPER_HALF);
        add(SUBTRACT, Integer.SIZE);
        addBit((int) (held >>> Integer.SIZE));
        place(Label.HELD);
        jump(JUMP_IF_EQUAL, 0, Label.DEFAULT);
        add(LOAD_SCRATCH, 0);
        add(RETURN_A, 0);
    }

    /// Leaves the bit of that number alone.
    private void addBit(int bits) {
        add(COPY_TO_X, 0);
        add(LOAD_CONSTANT, 1);
        add(SHIFT_LEFT_BY_X, 0);
        add(AND, bits);
    }

    private void addRequests(List<AddressPage.Listener> listeners, int defaultShard) {
        place(Label.REQUEST);
        add(LOAD_WORD, SERVICE_ID_LOW_AT);
        for (AddressPage.Listener listener : listeners) {
            add(JUMP_IF_EQUAL, listener.serviceId());
            add(RETURN, listener.shard());
        }
        add(RETURN, defaultShard);
    }

    private void place(Label label) {
        places.put(label, code.size());
    }

    private void add(int operation, int operand) {
        jump(operation, operand, null);
    }

    private void jump(int operation, int operand, Label target) {
        code.add(new Instruction(operation, operand, target));
    }

    /// Jumps count the instructions that are passed over. A comparison without a target passes over the next one when
    /// it fails.
    private byte[] assemble() {
        ByteBuffer bytes = ByteBuffer.allocate(code.size() * INSTRUCTION_BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < code.size(); i++) {
            Instruction instruction = code.get(i);
            int distance = instruction.target == null ? 0 : places.get(instruction.target) - i - 1;
            boolean always = instruction.operation == JUMP;
            boolean skips = instruction.operation == JUMP_IF_EQUAL && instruction.target == null;
            bytes.putShort((short) instruction.operation)
                    .put((byte) (always ? 0 : distance))
                    .put((byte) (skips ? 1 : 0))
                    .putInt(always ? distance : instruction.operand);
        }
        return bytes.array();
    }
}
