package io.verbena.rdmacore.qp;

/// What a request names and the driver reads while the request is posted: it is not closed before [#release].
interface Held {
    void release();
}
