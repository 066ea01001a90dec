package io.verbena.rdmacore.layout;

import io.verbena.rdmacore.lib.Memory;

/// A number in a C struct: where it is, and of which type. A layout class has one constant for each field in use:
/// `Wc.STATUS.get(address)` reads `status` of the `struct ibv_wc` at that address.
///
/// The constants are records, whose fields the JIT compiler takes for constant: access costs what a plain offset costs.
public sealed interface StructField {
    /// Bytes from the beginning of the struct.
    int offset();

    /// `uint8_t`.
    record U8(int offset) implements StructField {
        public int get(long struct) {
            return Byte.toUnsignedInt(Memory.getByte(struct + offset));
        }

        public void set(long struct, int value) {
            Memory.putByte(struct + offset, (byte) value);
        }
    }

    /// `uint16_t`.
    record U16(int offset) implements StructField {
        public int get(long struct) {
            return Short.toUnsignedInt(Memory.getShort(struct + offset));
        }

        public void set(long struct, int value) {
            Memory.putShort(struct + offset, (short) value);
        }
    }

    /// `uint32_t`, `int` or an enum.
    record U32(int offset) implements StructField {
        public int get(long struct) {
            return Memory.getInt(struct + offset);
        }

        public void set(long struct, int value) {
            Memory.putInt(struct + offset, value);
        }
    }

    /// `uint64_t`, `size_t` or a pointer.
    record U64(int offset) implements StructField {
        public long get(long struct) {
            return Memory.getLong(struct + offset);
        }

        public void set(long struct, long value) {
            Memory.putLong(struct + offset, value);
        }
    }

    /// `__be32`: in network order, read and written as a plain number.
    record Be32(int offset) implements StructField {
        public int get(long struct) {
            return Memory.getBigEndianInt(struct + offset);
        }

        public void set(long struct, int value) {
            Memory.putBigEndianInt(struct + offset, value);
        }
    }

    /// `__be64`: in network order, read as a plain number.
    record Be64(int offset) implements StructField {
        public long get(long struct) {
            return Memory.getBigEndianLong(struct + offset);
        }
    }
}
