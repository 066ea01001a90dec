package io.verbena.roce.mad;

import io.verbena.roce.packet.RoceConstants;

/// Collects the fields of a [CmReq]. Fields that are not set have the values of a reliable connection over RoCE.
public final class CmReqBuilder {
    private long transactionId;
    private int attributeModifier;
    private int localCommId;
    private int vendorId;
    private long serviceId;
    private long localCaGuid;
    private int localQkey;
    private int localQpn;
    private int responderResources;
    private int localEecn;
    private int initiatorDepth;
    private int remoteEecn;
    private int remoteCmResponseTimeout = 20;
    private int transportServiceType = CmReq.RC;
    private boolean endToEndFlowControl;
    private int startingPsn;
    private int localCmResponseTimeout = 20;
    private int retryCount = 7;
    private int partitionKey = RoceConstants.DEFAULT_PARTITION_KEY;
    private int pathMtu = 3;
    private boolean rdcExists;
    private int rnrRetryCount = 7;
    private int maxCmRetries = 15;
    private boolean sharedReceiveQueue;
    private int extendedTransportType;
    private CmPath primaryPath = CmPath.NONE;
    private CmPath alternatePath = CmPath.NONE;
    private PrivateData privateData = PrivateData.NONE;

    CmReqBuilder() {}

    CmReqBuilder(CmReq origin) {
        transactionId = origin.transactionId();
        attributeModifier = origin.attributeModifier();
        localCommId = origin.localCommId();
        vendorId = origin.vendorId();
        serviceId = origin.serviceId();
        localCaGuid = origin.localCaGuid();
        localQkey = origin.localQkey();
        localQpn = origin.localQpn();
        responderResources = origin.responderResources();
        localEecn = origin.localEecn();
        initiatorDepth = origin.initiatorDepth();
        remoteEecn = origin.remoteEecn();
        remoteCmResponseTimeout = origin.remoteCmResponseTimeout();
        transportServiceType = origin.transportServiceType();
        endToEndFlowControl = origin.endToEndFlowControl();
        startingPsn = origin.startingPsn();
        localCmResponseTimeout = origin.localCmResponseTimeout();
        retryCount = origin.retryCount();
        partitionKey = origin.partitionKey();
        pathMtu = origin.pathMtu();
        rdcExists = origin.rdcExists();
        rnrRetryCount = origin.rnrRetryCount();
        maxCmRetries = origin.maxCmRetries();
        sharedReceiveQueue = origin.sharedReceiveQueue();
        extendedTransportType = origin.extendedTransportType();
        primaryPath = origin.primaryPath();
        alternatePath = origin.alternatePath();
        privateData = origin.privateData();
    }

    /// Sets the transaction id of the MAD header.
    public CmReqBuilder transactionId(long value) {
        transactionId = value;
        return this;
    }

    /// Sets the attribute modifier of the MAD header.
    public CmReqBuilder attributeModifier(int value) {
        attributeModifier = value;
        return this;
    }

    /// Sets the number by which the sender knows the connection.
    public CmReqBuilder localCommId(int value) {
        localCommId = value;
        return this;
    }

    /// Sets the vendor of options of an enhanced connection.
    public CmReqBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    /// Sets the service that should answer.
    public CmReqBuilder serviceId(long value) {
        serviceId = value;
        return this;
    }

    /// Sets the GUID of the sender's adapter.
    public CmReqBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    /// Sets the key of the sender's queue pair.
    public CmReqBuilder localQkey(int value) {
        localQkey = value;
        return this;
    }

    /// Sets the number of the sender's queue pair.
    public CmReqBuilder localQpn(int value) {
        localQpn = value;
        return this;
    }

    /// Sets how many reads and atomics that the sender can serve at a time.
    public CmReqBuilder responderResources(int value) {
        responderResources = value;
        return this;
    }

    /// Sets the number of the sender's end-to-end context.
    public CmReqBuilder localEecn(int value) {
        localEecn = value;
        return this;
    }

    /// Sets how many reads and atomics that the sender will have outstanding at most.
    public CmReqBuilder initiatorDepth(int value) {
        initiatorDepth = value;
        return this;
    }

    /// Sets the number of the receiver's end-to-end context.
    public CmReqBuilder remoteEecn(int value) {
        remoteEecn = value;
        return this;
    }

    /// Sets the time the receiver has for its answer, as a [CmTimeout] code.
    public CmReqBuilder remoteCmResponseTimeout(int value) {
        remoteCmResponseTimeout = value;
        return this;
    }

    /// Sets the transport service: [CmReq#RC], [CmReq#UC] or [CmReq#XRC].
    public CmReqBuilder transportServiceType(int value) {
        transportServiceType = value;
        return this;
    }

    /// Sets whether the sender has end-to-end flow control.
    public CmReqBuilder endToEndFlowControl(boolean value) {
        endToEndFlowControl = value;
        return this;
    }

    /// Sets the packet sequence number that the receiver must send first.
    public CmReqBuilder startingPsn(int value) {
        startingPsn = value;
        return this;
    }

    /// Sets the time the sender has for its answers, as a [CmTimeout] code.
    public CmReqBuilder localCmResponseTimeout(int value) {
        localCmResponseTimeout = value;
        return this;
    }

    /// Sets the number of retries without an answer.
    public CmReqBuilder retryCount(int value) {
        retryCount = value;
        return this;
    }

    /// Sets the partition key.
    public CmReqBuilder partitionKey(int value) {
        partitionKey = value;
        return this;
    }

    /// Sets the code of the path MTU, 1 to 5.
    public CmReqBuilder pathMtu(int value) {
        pathMtu = value;
        return this;
    }

    /// Sets whether there is a reliable datagram channel.
    public CmReqBuilder rdcExists(boolean value) {
        rdcExists = value;
        return this;
    }

    /// Sets the number of retries while no receive is posted.
    public CmReqBuilder rnrRetryCount(int value) {
        rnrRetryCount = value;
        return this;
    }

    /// Sets the number of times that messages of the connection manager are repeated.
    public CmReqBuilder maxCmRetries(int value) {
        maxCmRetries = value;
        return this;
    }

    /// Sets whether the sender's queue pair has a shared receive queue.
    public CmReqBuilder sharedReceiveQueue(boolean value) {
        sharedReceiveQueue = value;
        return this;
    }

    /// Sets the extended transport type.
    public CmReqBuilder extendedTransportType(int value) {
        extendedTransportType = value;
        return this;
    }

    /// Sets the primary path.
    public CmReqBuilder primaryPath(CmPath value) {
        primaryPath = value;
        return this;
    }

    /// Sets the alternate path.
    public CmReqBuilder alternatePath(CmPath value) {
        alternatePath = value;
        return this;
    }

    /// Sets the bytes for the program at the other end.
    public CmReqBuilder privateData(byte... value) {
        privateData = PrivateData.of(value);
        return this;
    }

    /// The message with the values that were set.
    ///
    /// @throws IllegalArgumentException naming a number that does not fit its field
    public CmReq build() {
        return new CmReq(
                transactionId,
                attributeModifier,
                localCommId,
                vendorId,
                serviceId,
                localCaGuid,
                localQkey,
                localQpn,
                responderResources,
                localEecn,
                initiatorDepth,
                remoteEecn,
                remoteCmResponseTimeout,
                transportServiceType,
                endToEndFlowControl,
                startingPsn,
                localCmResponseTimeout,
                retryCount,
                partitionKey,
                pathMtu,
                rdcExists,
                rnrRetryCount,
                maxCmRetries,
                sharedReceiveQueue,
                extendedTransportType,
                primaryPath,
                alternatePath,
                privateData);
    }
}
