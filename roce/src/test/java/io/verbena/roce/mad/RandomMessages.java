package io.verbena.roce.mad;

import java.util.Random;

/// Messages whose every field is random within its width.
final class RandomMessages {
    private final Random random;

    RandomMessages(Random random) {
        this.random = random;
    }

    CmMessage next(int kind) {
        return switch (kind) {
            case 0 -> req();
            case 1 -> rep();
            case 2 -> new CmRtu(number(), bits(32), bits(32), PrivateData.of(data(CmRtu.PRIVATE_DATA_BYTES)));
            case 3 ->
                new CmRej(
                        number(),
                        bits(32),
                        bits(32),
                        answered(),
                        bits(16),
                        data(72),
                        PrivateData.of(data(CmRej.PRIVATE_DATA_BYTES)));
            case 4 ->
                new CmMra(
                        number(),
                        bits(32),
                        bits(32),
                        answered(),
                        bits(5),
                        PrivateData.of(data(CmMra.PRIVATE_DATA_BYTES)));
            case 5 ->
                new CmDreq(number(), bits(32), bits(32), bits(24), PrivateData.of(data(CmDreq.PRIVATE_DATA_BYTES)));
            case 6 -> new CmDrep(number(), bits(32), bits(32), PrivateData.of(data(CmDrep.PRIVATE_DATA_BYTES)));
            case 7 ->
                new CmSidrReq(
                        number(), bits(32), bits(16), number(), PrivateData.of(data(CmSidrReq.PRIVATE_DATA_BYTES)));
            default -> sidrRep();
        };
    }

    private CmReq req() {
        return CmReq.builder()
                .transactionId(number())
                .attributeModifier(bits(32))
                .localCommId(bits(32))
                .vendorId(bits(24))
                .serviceId(number())
                .localCaGuid(number())
                .localQkey(bits(32))
                .localQpn(bits(24))
                .responderResources(bits(8))
                .localEecn(bits(24))
                .initiatorDepth(bits(8))
                .remoteEecn(bits(24))
                .remoteCmResponseTimeout(bits(5))
                .transportServiceType(bits(2))
                .endToEndFlowControl(random.nextBoolean())
                .startingPsn(bits(24))
                .localCmResponseTimeout(bits(5))
                .retryCount(bits(3))
                .partitionKey(bits(16))
                .pathMtu(bits(4))
                .rdcExists(random.nextBoolean())
                .rnrRetryCount(bits(3))
                .maxCmRetries(bits(4))
                .sharedReceiveQueue(random.nextBoolean())
                .extendedTransportType(bits(3))
                .primaryPath(path())
                .alternatePath(random.nextBoolean() ? path() : CmPath.NONE)
                .privateData(data(CmReq.PRIVATE_DATA_BYTES))
                .build();
    }

    private CmRep rep() {
        return CmRep.builder()
                .transactionId(number())
                .attributeModifier(bits(32))
                .localCommId(bits(32))
                .remoteCommId(bits(32))
                .localQkey(bits(32))
                .localQpn(bits(24))
                .vendorId(bits(24))
                .localEecn(bits(24))
                .startingPsn(bits(24))
                .responderResources(bits(8))
                .initiatorDepth(bits(8))
                .targetAckDelay(bits(5))
                .failoverAccepted(bits(2))
                .endToEndFlowControl(random.nextBoolean())
                .rnrRetryCount(bits(3))
                .sharedReceiveQueue(random.nextBoolean())
                .localCaGuid(number())
                .privateData(data(CmRep.PRIVATE_DATA_BYTES))
                .build();
    }

    private CmSidrRep sidrRep() {
        SidrStatus status = SidrStatus.values()[random.nextInt(SidrStatus.values().length)];
        PrivateData privateData = PrivateData.of(data(CmSidrRep.PRIVATE_DATA_BYTES));
        return new CmSidrRep(
                number(), bits(32), bits(32), status, data(72), bits(24), bits(24), number(), bits(32), privateData);
    }

    private CmPath path() {
        return new CmPath(
                bits(16),
                bits(16),
                number(),
                number(),
                number(),
                number(),
                bits(20),
                bits(6),
                bits(8),
                bits(8),
                bits(4),
                random.nextBoolean(),
                bits(5));
    }

    private AnsweredMessage answered() {
        return AnsweredMessage.values()[random.nextInt(3)];
    }

    private long number() {
        return random.nextLong();
    }

    private int bits(int width) {
        return random.nextInt() >>> 32 - width;
    }

    private byte[] data(int limit) {
        byte[] data = new byte[random.nextInt(limit + 1)];
        random.nextBytes(data);
        return data;
    }
}
