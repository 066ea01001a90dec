package io.verbena.roce.packet;

/// The AETH syndrome byte: its top three bits say what kind of answer this is, the rest say more.
public final class Syndrome {
    /// An acknowledgement that grants no limited credits; the only one sent here.
    public static final int ACK = 0x1F;

    public static final int NAK_PSN_SEQUENCE = 0x60;
    public static final int NAK_INVALID_REQUEST = 0x61;
    public static final int NAK_REMOTE_ACCESS = 0x62;
    public static final int NAK_REMOTE_OPERATION = 0x63;

    private static final int KIND = 0xE0;
    private static final int KIND_ACK = 0x00;
    private static final int KIND_RNR_NAK = 0x20;
    private static final int KIND_NAK = 0x60;
    private static final int DETAIL = 0x1F;

    private Syndrome() {}

    /// Any acknowledgement, whatever credit count it carries.
    public static boolean isAck(int syndrome) {
        return (syndrome & KIND) == KIND_ACK;
    }

    /// A receiver-not-ready NAK, whatever wait it asks for.
    public static boolean isRnrNak(int syndrome) {
        return (syndrome & KIND) == KIND_RNR_NAK;
    }

    /// An error or sequence NAK; receiver-not-ready is not one of them.
    public static boolean isNak(int syndrome) {
        return (syndrome & KIND) == KIND_NAK;
    }

    /// A receiver-not-ready NAK asking for the wait of an [RnrTimer] code.
    public static int rnrNak(int timerCode) {
        return KIND_RNR_NAK | timerCode & DETAIL;
    }

    /// The [RnrTimer] code of a receiver-not-ready NAK.
    public static int timerCode(int rnrNak) {
        return rnrNak & DETAIL;
    }

    /// A word for traces.
    public static String text(int syndrome) {
        return switch (syndrome) {
            case ACK -> "ACK";
            case NAK_PSN_SEQUENCE -> "NAK_PSN_SEQUENCE";
            case NAK_INVALID_REQUEST -> "NAK_INVALID_REQUEST";
            case NAK_REMOTE_ACCESS -> "NAK_REMOTE_ACCESS";
            case NAK_REMOTE_OPERATION -> "NAK_REMOTE_OPERATION";
            default -> textOfKind(syndrome);
        };
    }

    private static String textOfKind(int syndrome) {
        int detail = syndrome & DETAIL;
        return switch (syndrome & KIND) {
            case KIND_ACK -> "ACK(credit " + detail + ")";
            case KIND_RNR_NAK -> "RNR_NAK(timer " + detail + ")";
            case KIND_NAK -> "NAK(" + detail + ")";
            default -> "RESERVED(0x%02x)".formatted(syndrome);
        };
    }
}
