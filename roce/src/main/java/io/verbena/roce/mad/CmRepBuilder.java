package io.verbena.roce.mad;

/// Collects the fields of a [CmRep]. What is not set has the value a reliable connection over RoCE uses.
public final class CmRepBuilder {
    private long transactionId;
    private int attributeModifier;
    private int localCommId;
    private int remoteCommId;
    private int localQkey;
    private int localQpn;
    private int vendorId;
    private int localEecn;
    private int startingPsn;
    private int responderResources;
    private int initiatorDepth;
    private int targetAckDelay = 15;
    private int failoverAccepted;
    private boolean endToEndFlowControl;
    private int rnrRetryCount = 7;
    private boolean sharedReceiveQueue;
    private long localCaGuid;
    private byte[] privateData = Field.EMPTY;

    CmRepBuilder() {}

    CmRepBuilder(CmRep origin) {
        transactionId = origin.transactionId();
        attributeModifier = origin.attributeModifier();
        localCommId = origin.localCommId();
        remoteCommId = origin.remoteCommId();
        localQkey = origin.localQkey();
        localQpn = origin.localQpn();
        vendorId = origin.vendorId();
        localEecn = origin.localEecn();
        startingPsn = origin.startingPsn();
        responderResources = origin.responderResources();
        initiatorDepth = origin.initiatorDepth();
        targetAckDelay = origin.targetAckDelay();
        failoverAccepted = origin.failoverAccepted();
        endToEndFlowControl = origin.endToEndFlowControl();
        rnrRetryCount = origin.rnrRetryCount();
        sharedReceiveQueue = origin.sharedReceiveQueue();
        localCaGuid = origin.localCaGuid();
        privateData = origin.privateData();
    }

    public CmRepBuilder transactionId(long value) {
        transactionId = value;
        return this;
    }

    public CmRepBuilder attributeModifier(int value) {
        attributeModifier = value;
        return this;
    }

    public CmRepBuilder localCommId(int value) {
        localCommId = value;
        return this;
    }

    public CmRepBuilder remoteCommId(int value) {
        remoteCommId = value;
        return this;
    }

    public CmRepBuilder localQkey(int value) {
        localQkey = value;
        return this;
    }

    public CmRepBuilder localQpn(int value) {
        localQpn = value;
        return this;
    }

    public CmRepBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    public CmRepBuilder localEecn(int value) {
        localEecn = value;
        return this;
    }

    public CmRepBuilder startingPsn(int value) {
        startingPsn = value;
        return this;
    }

    public CmRepBuilder responderResources(int value) {
        responderResources = value;
        return this;
    }

    public CmRepBuilder initiatorDepth(int value) {
        initiatorDepth = value;
        return this;
    }

    public CmRepBuilder targetAckDelay(int value) {
        targetAckDelay = value;
        return this;
    }

    public CmRepBuilder failoverAccepted(int value) {
        failoverAccepted = value;
        return this;
    }

    public CmRepBuilder endToEndFlowControl(boolean value) {
        endToEndFlowControl = value;
        return this;
    }

    public CmRepBuilder rnrRetryCount(int value) {
        rnrRetryCount = value;
        return this;
    }

    public CmRepBuilder sharedReceiveQueue(boolean value) {
        sharedReceiveQueue = value;
        return this;
    }

    public CmRepBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    public CmRepBuilder privateData(byte[] value) {
        privateData = value;
        return this;
    }

    /// @throws IllegalArgumentException naming a number that does not fit its field
    public CmRep build() {
        return new CmRep(
                transactionId,
                attributeModifier,
                localCommId,
                remoteCommId,
                localQkey,
                localQpn,
                vendorId,
                localEecn,
                startingPsn,
                responderResources,
                initiatorDepth,
                targetAckDelay,
                failoverAccepted,
                endToEndFlowControl,
                rnrRetryCount,
                sharedReceiveQueue,
                localCaGuid,
                privateData);
    }
}
