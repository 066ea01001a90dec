package io.verbena.roce.packet;

/// How many payload bytes, padding not counted, a packet may carry at a path MTU.
public enum PayloadRule {
    NONE {
        @Override
        public boolean allows(int payload, int mtu) {
            return payload == 0;
        }
    },
    EXACTLY_MTU {
        @Override
        public boolean allows(int payload, int mtu) {
            return payload == mtu;
        }
    },
    ONE_TO_MTU {
        @Override
        public boolean allows(int payload, int mtu) {
            return payload > 0 && payload <= mtu;
        }
    },
    UP_TO_MTU {
        @Override
        public boolean allows(int payload, int mtu) {
            return payload >= 0 && payload <= mtu;
        }
    },
    /// An atomic write stores one word.
    EIGHT {
        @Override
        public boolean allows(int payload, int mtu) {
            return payload == 8;
        }
    },
    /// The reserved bytes of a congestion notification.
    SIXTEEN {
        @Override
        public boolean allows(int payload, int mtu) {
            return payload == 16;
        }
    };

    public abstract boolean allows(int payload, int mtu);
}
