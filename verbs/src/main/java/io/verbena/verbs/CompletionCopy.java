package io.verbena.verbs;

import io.verbena.verbs.attr.CompletionOpcode;
import io.verbena.verbs.attr.CompletionStatus;

record CompletionCopy(
        long wrId,
        CompletionStatus status,
        CompletionOpcode opcode,
        long byteLength,
        int qpNumber,
        int sourceQp,
        boolean hasImmediate,
        int immediate,
        boolean hasInvalidatedKey,
        int invalidatedKey,
        boolean hasGrh,
        int vendorError,
        int serviceLevel,
        int sourceLid,
        int pathBits,
        int pkeyIndex)
        implements WorkCompletion {

    @Override
    public WorkCompletion copy() {
        return this;
    }
}
