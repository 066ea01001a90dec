package io.verbena.roce.mad;

import io.verbena.roce.packet.RoceConstants;

/// Collects the fields of a [CmReq]. What is not set has the value a reliable connection over RoCE uses.
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
    private byte[] privateData = Field.EMPTY;

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

    public CmReqBuilder transactionId(long value) {
        transactionId = value;
        return this;
    }

    public CmReqBuilder attributeModifier(int value) {
        attributeModifier = value;
        return this;
    }

    public CmReqBuilder localCommId(int value) {
        localCommId = value;
        return this;
    }

    public CmReqBuilder vendorId(int value) {
        vendorId = value;
        return this;
    }

    public CmReqBuilder serviceId(long value) {
        serviceId = value;
        return this;
    }

    public CmReqBuilder localCaGuid(long value) {
        localCaGuid = value;
        return this;
    }

    public CmReqBuilder localQkey(int value) {
        localQkey = value;
        return this;
    }

    public CmReqBuilder localQpn(int value) {
        localQpn = value;
        return this;
    }

    public CmReqBuilder responderResources(int value) {
        responderResources = value;
        return this;
    }

    public CmReqBuilder localEecn(int value) {
        localEecn = value;
        return this;
    }

    public CmReqBuilder initiatorDepth(int value) {
        initiatorDepth = value;
        return this;
    }

    public CmReqBuilder remoteEecn(int value) {
        remoteEecn = value;
        return this;
    }

    public CmReqBuilder remoteCmResponseTimeout(int value) {
        remoteCmResponseTimeout = value;
        return this;
    }

    public CmReqBuilder transportServiceType(int value) {
        transportServiceType = value;
        return this;
    }

    public CmReqBuilder endToEndFlowControl(boolean value) {
        endToEndFlowControl = value;
        return this;
    }

    public CmReqBuilder startingPsn(int value) {
        startingPsn = value;
        return this;
    }

    public CmReqBuilder localCmResponseTimeout(int value) {
        localCmResponseTimeout = value;
        return this;
    }

    public CmReqBuilder retryCount(int value) {
        retryCount = value;
        return this;
    }

    public CmReqBuilder partitionKey(int value) {
        partitionKey = value;
        return this;
    }

    public CmReqBuilder pathMtu(int value) {
        pathMtu = value;
        return this;
    }

    public CmReqBuilder rdcExists(boolean value) {
        rdcExists = value;
        return this;
    }

    public CmReqBuilder rnrRetryCount(int value) {
        rnrRetryCount = value;
        return this;
    }

    public CmReqBuilder maxCmRetries(int value) {
        maxCmRetries = value;
        return this;
    }

    public CmReqBuilder sharedReceiveQueue(boolean value) {
        sharedReceiveQueue = value;
        return this;
    }

    public CmReqBuilder extendedTransportType(int value) {
        extendedTransportType = value;
        return this;
    }

    public CmReqBuilder primaryPath(CmPath value) {
        primaryPath = value;
        return this;
    }

    public CmReqBuilder alternatePath(CmPath value) {
        alternatePath = value;
        return this;
    }

    public CmReqBuilder privateData(byte[] value) {
        privateData = value;
        return this;
    }

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
