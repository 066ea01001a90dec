package io.verbena.roce.mad;

/// Collects the fields of a [CmRep]. Fields that are not set have the values of a reliable connection over RoCE.
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
    private PrivateData privateData = PrivateData.NONE;

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

    /// Sets the transaction id of the MAD header.
    public CmRepBuilder transactionId(long value) {
        transactionId = value;
        return this;
    }

    /// Sets the attribute modifier of the MAD header.
    public CmRepBuilder attributeModifier(int value) {
        attributeModifier = value;
        return this;
    }

    /// Sets the number by which the sender knows the connection.
    public CmRepBuilder localCommId(int value) {
        localCommId = value;
        return this;
    }

    /// Sets the number by which the receiver knows the connection.
    public CmRepBuilder remoteCommId(int value) {
        remoteCommId = value;
        return this;
    }

    /// Sets the key of the sender's queue pair.
    public CmRepBuilder localQkey(int value) {
        localQkey = value;
        return this;
    }

    /// Sets the number of the sender's queue pair.
    public CmRepBuilder localQpn(int value) {
        localQpn = value;
        return this;
    }

    /// Sets the vendor of options of an enhanced connection.
    public CmRepBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    /// Sets the number of the sender's end-to-end context.
    public CmRepBuilder localEecn(int value) {
        localEecn = value;
        return this;
    }

    /// Sets the packet sequence number that the receiver must send first.
    public CmRepBuilder startingPsn(int value) {
        startingPsn = value;
        return this;
    }

    /// Sets how many reads and atomics that the sender can serve at a time.
    public CmRepBuilder responderResources(int value) {
        responderResources = value;
        return this;
    }

    /// Sets how many reads and atomics that the sender will have outstanding at most.
    public CmRepBuilder initiatorDepth(int value) {
        initiatorDepth = value;
        return this;
    }

    /// Sets the code of the time that an acknowledgement may take.
    public CmRepBuilder targetAckDelay(int value) {
        targetAckDelay = value;
        return this;
    }

    /// Sets the answer to the alternate path.
    public CmRepBuilder failoverAccepted(int value) {
        failoverAccepted = value;
        return this;
    }

    /// Sets whether the sender has end-to-end flow control.
    public CmRepBuilder endToEndFlowControl(boolean value) {
        endToEndFlowControl = value;
        return this;
    }

    /// Sets the number of retries while no receive is posted.
    public CmRepBuilder rnrRetryCount(int value) {
        rnrRetryCount = value;
        return this;
    }

    /// Sets whether the sender's queue pair has a shared receive queue.
    public CmRepBuilder sharedReceiveQueue(boolean value) {
        sharedReceiveQueue = value;
        return this;
    }

    /// Sets the GUID of the sender's adapter.
    public CmRepBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    /// Sets the bytes for the program at the other end.
    public CmRepBuilder privateData(byte... value) {
        privateData = PrivateData.of(value);
        return this;
    }

    /// The message with the values that were set.
    ///
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
